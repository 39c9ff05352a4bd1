import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import { classes } from './classes.ts'
import { Icon } from './Icon.tsx'
import styles from './Picker.module.css'
import { Popover } from './Popover.tsx'
import { texts } from './texts.ts'

export type PickerOption = {
  id: string
  label: string
  /** Found by the search as well. */
  detail?: string | undefined
  picture?: ReactNode
  group?: string | undefined
  isChecked?: boolean
}

type PickerProps = {
  trigger: ReactElement
  title: string
  options: PickerOption[]
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
  onChoose(id: string): void
  /** Stays open, to choose several. */
  isMultiple?: boolean
  isLoading?: boolean
  /** Offers to create what was typed. */
  createLabel?: (typed: string) => string
  onCreate?: (typed: string) => void
  empty: string
}

const mostShown = 200

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

const found = (options: PickerOption[], query: string): PickerOption[] => {
  const wanted = words(query)
  return options
    .filter(({ label, detail, group }) => {
      const text = `${label} ${detail ?? ''} ${group ?? ''}`.toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    .slice(0, mostShown)
}

/** A list at the element that opens it, searched by typing. */
export function Picker(props: PickerProps) {
  const { trigger, title, isOpen, onOpenChange } = props
  return (
    <Popover trigger={trigger} title={title} isOpen={isOpen} onOpenChange={onOpenChange}>
      <Search {...props} />
    </Popover>
  )
}

function Search(props: PickerProps) {
  const { title, options, onOpenChange, onChoose, isMultiple, isLoading, createLabel, onCreate, empty } =
    props
  const text = useTexts(texts)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  useEffect(() => input.current?.focus(), [])
  const shown = found(options, query)
  const typed = query.trim()
  const canCreate =
    onCreate && typed !== '' && options.every(({ label }) => label.toLowerCase() !== typed.toLowerCase())
  const count = shown.length + (canCreate ? 1 : 0)
  const at = Math.min(chosen, Math.max(count - 1, 0))
  const run = (index: number) => {
    const option = shown[index]
    if (option) onChoose(option.id)
    else if (canCreate) onCreate(typed)
    else return
    if (isMultiple) setQuery('')
    else onOpenChange(false)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setChosen((at + 1) % Math.max(count, 1)),
    ArrowUp: () => setChosen((at + count - 1) % Math.max(count, 1)),
    Enter: () => run(at),
  }
  return (
    <div className={styles.picker}>
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={count > 0 ? `${listId}-${at}` : undefined}
        aria-label={title}
        placeholder={title}
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
      <div
        id={listId}
        role="listbox"
        aria-label={title}
        aria-multiselectable={isMultiple}
        className={styles.list}
      >
        {shown.map((option, i) => (
          <Option
            key={option.id}
            id={`${listId}-${i}`}
            option={option}
            heading={option.group !== shown[i - 1]?.group ? option.group : undefined}
            isChosen={i === at}
            onPoint={() => setChosen(i)}
            onChoose={() => run(i)}
          />
        ))}
        {canCreate && (
          <Option
            id={`${listId}-${shown.length}`}
            option={{ id: '', label: createLabel?.(typed) ?? typed, picture: <Icon name="plus" /> }}
            isChosen={at === shown.length}
            onPoint={() => setChosen(shown.length)}
            onChoose={() => run(shown.length)}
          />
        )}
      </div>
      {count === 0 && <p className={styles.empty}>{isLoading ? text.loading : empty}</p>}
    </div>
  )
}

type OptionProps = {
  id: string
  option: PickerOption
  heading?: string | undefined
  isChosen: boolean
  onPoint(): void
  onChoose(): void
}

function Option({ id, option, heading, isChosen, onPoint, onChoose }: OptionProps) {
  const { label, detail, picture, isChecked } = option
  return (
    <>
      {heading && (
        <div role="presentation" className={styles.heading}>
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: The input above has the focus and handles the keys. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isChecked ?? isChosen}
        className={classes(styles.option, isChosen && styles.chosen)}
        onPointerMove={onPoint}
        onClick={onChoose}
        ref={isChosen ? scrollIntoView : undefined}
      >
        {picture}
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </span>
        {isChecked && <Icon name="check" />}
      </div>
    </>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
