import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import styles from './Combobox.module.css'
import { Icon } from './Icon.tsx'
import { KeyHint } from './KeyHint.tsx'
import { Quiet, Truncated } from './Layout.tsx'
import { ErrorState } from './States.tsx'
import { texts } from './texts.ts'
import { useWhenReady } from './when-ready.ts'

export type ComboboxOption = {
  id: string
  label: string
  /** Stands below the label. */
  detail?: string | undefined
  /** Words that find the option, and are not shown. */
  keywords?: string | undefined
  /** Stands at the end of the line. */
  note?: string | undefined
  picture?: ReactNode
  /** The heading above the first option of the group. */
  group?: string | undefined
  shortcut?: string | undefined
  isChecked?: boolean
  /** It stays, whatever a search that is still running finds: Enter does not wait. */
  isFound?: boolean
}

export type ComboboxProps = {
  title: string
  placeholder?: string
  options: ComboboxOption[]
  onSelect(id: string): void
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
  /** Stands below the options. */
  footer?: ReactNode
  /** Shows more about the option that Enter would choose. */
  preview?: (id: string) => ReactNode
  size?: 'normal' | 'large'
}

const mostShown = 200
/** The id of the option that creates what is typed. */
const newId = ''

/** All words of the query occur in the option, in any order. */
export function matches({ label, detail, note, group, keywords }: ComboboxOption, query: string): boolean {
  const text = [label, detail, note, group, keywords].join(' ').toLowerCase()
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
    onSelect,
    isMultiple,
    isLoading,
    error,
    onRetry,
    empty,
  } = props
  const { onSearch, createLabel, onCreate, preview, footer, size = 'normal' } = props
  const text = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  const highlighted = useRef<ComboboxOption>(undefined)
  const [query, setQuery] = useState('')
  const [previewed, setPreviewed] = useState<string | undefined>()
  useEffect(() => input.current?.focus(), [])
  const typed = query.trim()
  const shown = (onSearch ? options : options.filter((option) => matches(option, query))).slice(0, mostShown)
  if (onCreate && typed !== '' && options.every(({ label }) => label.toLowerCase() !== typed.toLowerCase()))
    shown.push({ id: newId, label: createLabel?.(typed) ?? typed, picture: <Icon name="plus" /> })
  const isStale = Boolean(onSearch && isLoading)
  const search = (next: string) => {
    enter.cancel()
    setQuery(next)
    onSearch?.(next)
  }
  const choose = ({ id }: ComboboxOption) => {
    enter.cancel()
    if (id === newId) onCreate?.(typed)
    else onSelect(id)
    if (isMultiple && query !== '') search('')
  }
  const enter = useWhenReady(!isStale, () => highlighted.current && choose(highlighted.current))
  return (
    <Autocomplete.Root
      inline
      open
      autoHighlight="always"
      keepHighlight
      items={shown}
      filter={null}
      value={query}
      onValueChange={search}
      onItemHighlighted={(option) => {
        highlighted.current = option
        if (preview) setPreviewed(option?.id)
      }}
    >
      <div className={styles[size]}>
        <Autocomplete.Input
          ref={input}
          className={styles.input}
          aria-label={placeholder}
          placeholder={placeholder}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventBaseUIHandler()
            event.preventDefault()
            const option = shown.find(({ id }) => id === highlighted.current?.id)
            if (option?.isFound) choose(option)
            else enter.run()
          }}
        />
        <Autocomplete.List
          aria-label={title}
          aria-multiselectable={isMultiple}
          aria-busy={isStale}
          className={styles.list}
        >
          {groupsOf(shown).map(({ label, options }) => {
            const rows = options.map((option) => (
              <Option key={option.id} option={option} onSelect={() => choose(option)} />
            ))
            if (!label) return rows
            return (
              <Autocomplete.Group key={options[0]!.id}>
                <Autocomplete.GroupLabel className={styles.heading}>{label}</Autocomplete.GroupLabel>
                {rows}
              </Autocomplete.Group>
            )
          })}
        </Autocomplete.List>
        {preview && shown.some(({ id }) => id === previewed) && (
          <div className={styles.preview}>{preview(previewed!)}</div>
        )}
        {error ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : (
          <Quiet as="p" role="status" className={shown.length === 0 ? styles.empty : 'visually-hidden'}>
            {shown.length > 0 ? text.found(shown.length) : isLoading ? text.loading : empty}
          </Quiet>
        )}
        {footer}
      </div>
    </Autocomplete.Root>
  )
}

type Group = { label: string | undefined; options: ComboboxOption[] }

/** The options by their headings, in the order in which they come. */
function groupsOf(options: ComboboxOption[]): Group[] {
  const groups: Group[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last && last.label === option.group) last.options.push(option)
    else groups.push({ label: option.group, options: [option] })
  }
  return groups
}

function Option({ option, onSelect }: { option: ComboboxOption; onSelect(): void }) {
  const { label, detail, note, picture, shortcut, isChecked } = option
  return (
    <Autocomplete.Item value={option} className={styles.option} aria-selected={isChecked} onClick={onSelect}>
      {picture}
      <Truncated>
        {label}
        {detail && <Truncated as="small">{detail}</Truncated>}
      </Truncated>
      {note && <small>{note}</small>}
      {shortcut && <KeyHint keys={shortcut} />}
      {isChecked && <Icon name="check" />}
    </Autocomplete.Item>
  )
}
