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
  /** The content takes the focus itself. */
  initialFocus?: false
  /** Gets the focus when it closes, in place of the trigger. A function may return false: the focus stays. */
  finalFocus?: RefObject<HTMLElement | null> | (() => boolean)
  /** The side of the trigger that it keeps to. */
  align?: 'start' | 'end'
  className?: string | undefined
  /** A long list has more room than a form. */
  isLarge?: boolean
}

/** A small form or list at the element that opens it. */
export function Popover({ trigger, title, children, isOpen, onOpenChange, ...rest }: PopoverProps) {
  const { initialFocus, finalFocus, align = 'start', className, isLarge } = rest
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(next, details) => {
        // The list of a field in it is beside it on the page.
        const { target } = details.event
        if (
          details.reason === 'outside-press' &&
          target instanceof Element &&
          target.closest('[role=listbox]')
        )
          details.cancel()
        else onOpenChange(next)
      }}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className={styles.positioner}>
          <Base.Popup
            className={classes(menu.popup, styles.popup, isLarge && styles.large, className)}
            {...(finalFocus && { finalFocus })}
            {...(initialFocus === false && { initialFocus })}
          >
            <Base.Title className="visually-hidden">{title}</Base.Title>
            {typeof children === 'function' ? children(() => onOpenChange(false)) : children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
