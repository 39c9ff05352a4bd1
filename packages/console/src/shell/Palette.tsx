import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useId, useState } from 'react'
import { type Command, useAllCommands } from '../app/commands.tsx'
import { classes } from '../design/classes.ts'
import { Icon } from '../design/Icon.tsx'
import { Keys } from '../design/Keys.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Palette.module.css'
import { texts } from './texts.ts'

/** All words of the query occur in the command, in any order. */
const matches = ({ label, group }: Command, query: string): boolean => {
  const text = `${group} ${label}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Everything that can be done now, by typing a part of its name. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const text = useTexts(texts)
  const listId = useId()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useAllCommands().filter((command) => command.shortcut !== 'mod k' && matches(command, query))
  useEffect(() => {
    if (isOpen) setQuery('')
    setChosen(0)
  }, [isOpen])
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const move = (by: number) => setChosen((found.length + chosen + by) % Math.max(found.length, 1))
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => run(found[chosen]),
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className="visually-hidden">{text.palette}</Dialog.Title>
          <input
            className={styles.input}
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={found[chosen] ? `${listId}-${chosen}` : undefined}
            aria-label={text.paletteHint}
            placeholder={text.paletteHint}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setChosen(0)
            }}
            onKeyDown={(event) => {
              const act = keys[event.key]
              if (!act) return
              event.preventDefault()
              act()
            }}
          />
          <div id={listId} role="listbox" aria-label={text.palette} className={styles.list}>
            {found.map((command, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: The input above has the focus and handles the keys.
              <div
                key={`${command.group} ${command.label}`}
                id={`${listId}-${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === chosen}
                className={classes(styles.option, i === chosen && styles.chosen)}
                onPointerMove={() => setChosen(i)}
                onClick={() => run(command)}
                ref={i === chosen ? scrollIntoView : undefined}
              >
                {command.icon && <Icon name={command.icon} />}
                <span className={styles.label}>{command.label}</span>
                <span className={styles.group}>{command.group}</span>
                {command.shortcut && <Keys keys={command.shortcut} />}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className={styles.nothing}>{text.nothingFound}</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
