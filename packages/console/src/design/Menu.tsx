import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import { KeyHint } from './KeyHint.tsx'
import styles from './Menu.module.css'

export type MenuItem = {
  label: string
  icon?: IconName
  shortcut?: string
  isDangerous?: boolean
  isDisabled?: boolean
  isChecked?: boolean
  onSelect(): void
}

type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactElement
  /** Groups of items, with a line between them. */
  groups: MenuItem[][]
}

export function Menu({ trigger, groups }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            <Groups groups={groups} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type MenuAtProps = Pick<MenuProps, 'groups'> & {
  /** The button at which the menu is. It gets the focus back, unless `keepsFocus` says that something else has it. */
  anchor: HTMLElement
  onClose(): void
  keepsFocus(): boolean
}

/** One open menu for many buttons, which are then as cheap as buttons are. */
export function MenuAt({ anchor, groups, onClose, keepsFocus }: MenuAtProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal container={anchor.closest('section')}>
        <Base.Positioner anchor={anchor} sideOffset={4} align="end" className={styles.positioner}>
          <Base.Popup className={styles.popup} finalFocus={() => (keepsFocus() ? false : anchor)}>
            <Groups groups={groups} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const Groups = ({ groups }: { groups: MenuItem[][] }) =>
  groups.map((items, i) => (
    <Base.Group key={items[0]?.label ?? i} className={styles.group}>
      {items.map(({ label, icon, shortcut, isDangerous, isDisabled, isChecked, onSelect }) => (
        <Base.Item
          key={label}
          disabled={isDisabled ?? false}
          {...(isChecked !== undefined && {
            role: items.length > 1 ? 'menuitemradio' : 'menuitemcheckbox',
            'aria-checked': isChecked,
          })}
          className={classes(styles.item, isDangerous && styles.dangerous)}
          onClick={onSelect}
        >
          {icon && <Icon name={icon} />}
          <span className={styles.label}>{label}</span>
          {isChecked && <Icon name="check" />}
          {shortcut && <KeyHint keys={shortcut} />}
        </Base.Item>
      ))}
    </Base.Group>
  ))
