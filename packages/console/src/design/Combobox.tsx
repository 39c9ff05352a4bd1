import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import styles from './Combobox.module.css'
import { classes } from './classes.ts'
import { Icon } from './Icon.tsx'
import { Keys } from './Keys.tsx'
import { Failed } from './States.tsx'
import { texts } from './texts.ts'
import { useWhenReady } from './when-ready.ts'

export type ComboboxOption = {
  id: string
  label: string
  /** Stands below the label. */
  detail?: string | undefined
  /** Stands at the end of the line. */
  note?: string | undefined
  picture?: ReactNode
  /** The heading above the first option of the group. */
  group?: string | undefined
  shortcut?: string | undefined
  isChecked?: boolean
}

export type ComboboxProps = {
  title: string
  placeholder?: string
  options: ComboboxOption[]
  onChoose(id: string): void
  /** Several can be chosen, one after the other. */
  isMultiple?: boolean
  isLoading?: boolean
  /** Why there are no options; stands in their place. */
  error?: unknown
  onRetry?: () => void
  /** Searches elsewhere for what is typed: `options` are what it found. While `isLoading`, Enter waits. */
  onSearch?: (query: string) => void
  /** Offers to create what is typed. */
  createLabel?: (typed: string) => string
  onCreate?: (typed: string) => void
  empty: string
  size?: 'normal' | 'large'
}

const mostShown = 200

/** All words of the query occur in the option, in any order. */
function matches({ label, detail, note, group }: ComboboxOption, query: string): boolean {
  const text = [label, detail, note, group].join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A field with options below it, which are found by typing and chosen by arrow keys and Enter or by the pointer. */
export function Combobox(props: ComboboxProps) {
  const {
    title,
    placeholder = title,
    options,
    onChoose,
    isMultiple,
    isLoading,
    error,
    onRetry,
    empty,
    size = 'normal',
  } = props
  const { onSearch, createLabel, onCreate } = props
  const text = useTexts(texts)
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  useEffect(() => input.current?.focus(), [])
  const found = onSearch ? options : options.filter((option) => matches(option, query))
  const shown = found.slice(0, mostShown)
  const typed = query.trim()
  const canCreate =
    onCreate && typed !== '' && options.every(({ label }) => label.toLowerCase() !== typed.toLowerCase())
  const count = shown.length + (canCreate ? 1 : 0)
  const at = Math.min(active, Math.max(count - 1, 0))
  const isStale = Boolean(onSearch && isLoading)
  const enter = useWhenReady(!isStale, () => choose(at))
  const search = (next: string) => {
    enter.cancel()
    setQuery(next)
    setActive(0)
    onSearch?.(next)
  }
  const choose = (index: number) => {
    enter.cancel()
    const option = shown[index]
    if (option) onChoose(option.id)
    else if (canCreate) onCreate(typed)
    else return
    if (isMultiple && query !== '') search('')
  }
  const move = (by: number) => setActive((count + at + by) % Math.max(count, 1))
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: enter.run,
  }
  return (
    <div className={classes(styles.combobox, styles[size])}>
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={count > 0 ? `${listId}-${at}` : undefined}
        aria-label={placeholder}
        placeholder={placeholder}
        value={query}
        onChange={(event) => search(event.target.value)}
        onKeyDown={(event) => {
          const act = keys[event.key]
          if (!act || event.nativeEvent.isComposing) return
          event.preventDefault()
          act()
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={title}
        aria-multiselectable={isMultiple}
        aria-busy={isStale}
        className={styles.list}
      >
        {shown.map((option, i) => (
          <Option
            key={option.id}
            id={`${listId}-${i}`}
            option={option}
            heading={option.group !== shown[i - 1]?.group ? option.group : undefined}
            isActive={i === at}
            onPoint={() => setActive(i)}
            onChoose={() => choose(i)}
          />
        ))}
        {canCreate && (
          <Option
            id={`${listId}-${shown.length}`}
            option={{ id: '', label: createLabel?.(typed) ?? typed, picture: <Icon name="plus" /> }}
            isActive={at === shown.length}
            onPoint={() => setActive(shown.length)}
            onChoose={() => choose(shown.length)}
          />
        )}
      </div>
      {error ? (
        <Failed error={error} onRetry={onRetry} />
      ) : (
        <p role="status" className={styles.empty}>
          {count === 0 && (isLoading ? text.loading : empty)}
        </p>
      )}
    </div>
  )
}

type OptionProps = {
  id: string
  option: ComboboxOption
  heading?: string | undefined
  isActive: boolean
  onPoint(): void
  onChoose(): void
}

function Option({ id, option, heading, isActive, onPoint, onChoose }: OptionProps) {
  const { label, detail, note, picture, shortcut, isChecked } = option
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
        aria-selected={isChecked ?? isActive}
        className={classes(styles.option, isActive && styles.active)}
        onPointerMove={onPoint}
        onClick={onChoose}
        ref={isActive ? scrollIntoView : undefined}
      >
        {picture}
        <span className={styles.words}>
          <span className={styles.label}>{label}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </span>
        {note && <span className={styles.note}>{note}</span>}
        {shortcut && <Keys keys={shortcut} />}
        {isChecked && <Icon name="check" />}
      </div>
    </>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
