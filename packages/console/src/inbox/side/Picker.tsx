import { type ReactElement, useId, useState } from 'react'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Popover } from '../../design/Popover.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Picker.module.css'
import { texts } from './texts.ts'

export type Choice = { value: string; label: string; detail?: string | undefined; color?: string | null }

type PickerProps = {
  trigger: ReactElement
  title: string
  placeholder: string
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  query: string
  onQuery(query: string): void
  choices: Choice[]
  isLoading?: boolean
  onChoose(choice: Choice): void
}

/** Searches by typing and takes one of what is found, by arrow keys and Enter or by the pointer. */
export function Picker({ trigger, title, isOpen, onOpenChange, ...search }: PickerProps) {
  return (
    <Popover trigger={trigger} title={title} isOpen={isOpen} onOpenChange={onOpenChange}>
      <Search title={title} {...search} />
    </Popover>
  )
}

type SearchProps = Omit<PickerProps, 'trigger' | 'isOpen' | 'onOpenChange'>

function Search({ title, placeholder, query, onQuery, choices, isLoading = false, onChoose }: SearchProps) {
  const text = useTexts(texts)
  const listId = useId()
  const [chosen, setChosen] = useState(0)
  const current = Math.min(chosen, Math.max(choices.length - 1, 0))
  const move = (by: number) => setChosen((choices.length + current + by) % Math.max(choices.length, 1))
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => choices[current] && onChoose(choices[current]),
  }
  return (
    <div className={styles.picker}>
      <input
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={choices[current] ? `${listId}-${current}` : undefined}
        aria-label={placeholder}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          onQuery(event.target.value)
          setChosen(0)
        }}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act) return
          event.preventDefault()
          act()
        }}
      />
      <div id={listId} role="listbox" aria-label={title} className={styles.list}>
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The input above has the focus and handles the keys.
          <div
            key={choice.value}
            id={`${listId}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            className={classes(styles.option, i === current && styles.chosen)}
            onPointerMove={() => setChosen(i)}
            onClick={() => onChoose(choice)}
            ref={i === current ? scrollIntoView : undefined}
          >
            {choice.color !== undefined && (
              <span className={styles.dot} style={choice.color ? { background: choice.color } : undefined} />
            )}
            <span className={styles.label}>{choice.label}</span>
            {choice.detail && <span className={styles.detail}>{choice.detail}</span>}
          </div>
        ))}
      </div>
      <div role="status" className={styles.nothing}>
        {choices.length === 0 && !isLoading && (
          <>
            <Icon name="search" /> {text.nothingFound}
          </>
        )}
      </div>
    </div>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
