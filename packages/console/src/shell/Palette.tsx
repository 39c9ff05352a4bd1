import { Dialog } from '@base-ui/react/dialog'
import { type Command, useAllCommands } from '../app/commands.tsx'
import { Combobox } from '../design/Combobox.tsx'
import { classes } from '../design/classes.ts'
import dialog from '../design/Dialog.module.css'
import { Icon } from '../design/Icon.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Palette.module.css'
import { texts } from './texts.ts'

const idOf = ({ group, label }: Command): string => `${group}/${label}`

/** Everything that can be done now, by typing a part of its name. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const text = useTexts(texts)
  const commands = useAllCommands().filter(({ shortcut }) => shortcut !== 'mod k')
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={classes(dialog.backdrop, styles.backdrop)} />
        <Dialog.Popup className={classes(dialog.popup, dialog.centre, styles.popup)}>
          <Dialog.Title className="visually-hidden">{text.palette}</Dialog.Title>
          <Combobox
            size="large"
            title={text.palette}
            placeholder={text.paletteHint}
            options={commands.map((command) => ({
              id: idOf(command),
              label: command.label,
              note: command.group,
              picture: command.icon && <Icon name={command.icon} />,
              shortcut: command.shortcut,
            }))}
            onSelect={(id) => {
              onClose()
              commands.find((command) => idOf(command) === id)?.run()
            }}
            empty={text.nothingFound}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
