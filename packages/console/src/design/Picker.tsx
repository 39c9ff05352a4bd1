import type { ReactElement, RefObject } from 'react'
import { Combobox, type ComboboxOption, type ComboboxProps } from './Combobox.tsx'
import styles from './Picker.module.css'
import { Popover } from './Popover.tsx'

export type PickerOption = ComboboxOption

type PickerProps = Omit<ComboboxProps, 'size'> & {
  trigger: ReactElement
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  /** Gets the focus when it closes, in place of the trigger. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
}

/** A list at the element that opens it, searched by typing. Closes with a choice, unless several can be chosen. */
export function Picker(props: PickerProps) {
  const { trigger, isOpen, onOpenChange, finalFocus, onSelect, onCreate, ...combobox } = props
  const { title, isMultiple } = combobox
  const closing = (choose: (choice: string) => void) => (choice: string) => {
    choose(choice)
    if (!isMultiple) onOpenChange(false)
  }
  return (
    <Popover
      trigger={trigger}
      title={title}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      {...(finalFocus && { finalFocus })}
    >
      <div className={styles.picker}>
        <Combobox
          {...combobox}
          onSelect={closing(onSelect)}
          {...(onCreate && { onCreate: closing(onCreate) })}
        />
      </div>
    </Popover>
  )
}
