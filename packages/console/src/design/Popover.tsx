import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode, RefObject } from 'react'
import { classes } from './classes.ts'
import menu from './Menu.module.css'
import styles from './Popover.module.css'

type PopoverProps = {
  trigger: ReactElement
  title: string
  children: ReactNode | ((close: () => void) => ReactNode)
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  /** Gets the focus when it closes, in place of the trigger. */
  finalFocus?: RefObject<HTMLElement | null>
  /** The side of the trigger that it keeps to. */
  align?: 'start' | 'end'
  className?: string | undefined
  /** The content takes the focus when it opens. */
  focusesItself?: boolean
}

/** A small form or list at the element that opens it. */
export function Popover({ trigger, title, children, isOpen, onOpenChange, ...rest }: PopoverProps) {
  const { finalFocus, align = 'start', className, focusesItself } = rest
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className={styles.positioner}>
          <Base.Popup
            className={classes(menu.popup, styles.popup, className)}
            {...(finalFocus && { finalFocus })}
            {...(focusesItself && { initialFocus: false })}
          >
            <Base.Title className="visually-hidden">{title}</Base.Title>
            {typeof children === 'function' ? children(() => onOpenChange(false)) : children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
