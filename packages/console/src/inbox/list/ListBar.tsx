import { useEffect, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { classes } from '../../design/classes.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { FilterButton } from '../filter/FilterButton.tsx'
import { FilterBar } from '../filter/lazy.tsx'
import type { ListRequest } from '../filter/use-read-list.ts'
import { NewConversationIcon } from '../new/NewConversationButton.tsx'
import { texts } from '../texts.ts'
import { type Sort, sorts } from '../views/built-in.ts'
import styles from './List.module.css'

const pauseMs = 250

type ListBarProps = ListRequest & {
  title: string
  onChange(next: Partial<Omit<ListRequest, 'view'>>): void
  onEnterList(): void
  /** The check box for all rows; null if none can be selected. */
  selectsAll: { isChecked: boolean; isPartly: boolean; onChange(): void } | null
}

export function ListBar({ title, onChange, onEnterList, selectsAll, ...request }: ListBarProps) {
  const text = useTexts(texts)
  const { view, conditions, sort, q } = request
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLDivElement>(null)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  // More may be typed, if only a space, when the words that were searched for come back as the address.
  const searched = useRef(q)
  useEffect(() => {
    if (searched.current !== q) setTyped(q)
    searched.current = q
  }, [q])
  useEffect(() => {
    const words = typed.trim()
    if (words === searched.current) return
    const timer = setTimeout(() => {
      searched.current = words
      latest.current({ q: words })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  useCommands([
    {
      label: text.focusSearch,
      group: text.inbox,
      icon: 'search',
      shortcut: '/',
      run: () => input.current?.querySelector('input')?.focus(),
    },
  ])
  return (
    <header className={styles.bar}>
      <div className={styles.heading}>
        {selectsAll && <SelectAll {...selectsAll} />}
        <h1 className={styles.title}>{title}</h1>
        <NewConversationIcon />
      </div>
      {/* Saved views have an order of their own. */}
      {view.builtIn && (
        <div className={styles.sort}>
          <Select
            label={text.sort}
            hideLabel
            options={sorts.map((value) => ({ value, label: text[value] }))}
            value={sort}
            onChange={(event) => onChange({ sort: event.target.value as Sort })}
          />
        </div>
      )}
      <div ref={input} className={styles.search}>
        <TextField
          type="search"
          label={text.search}
          hideLabel
          placeholder={text.search}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && (event.key !== 'Enter' || typed.trim() !== q)) return
            event.preventDefault()
            onEnterList()
          }}
        />
        <FilterButton onAdd={(condition) => onChange({ conditions: [...conditions, condition] })} />
      </div>
      {q !== '' && <SearchAll name={view.builtIn?.name} />}
      {conditions.length > 0 && (
        <FilterBar
          {...request}
          onChange={(next) => {
            onChange({ conditions: next })
            if (next.length === 0) input.current?.querySelector('button')?.focus()
          }}
        />
      )}
    </header>
  )
}

/** Leads to the same search among all conversations. */
function SearchAll({ name }: { name: string | undefined }) {
  const text = useTexts(texts)
  const search = new URLSearchParams(useSearch())
  search.delete('sort')
  return name === 'all' ? null : (
    <Link href={`/all?${search}`} className={styles.searchAll}>
      {text.searchAll}
    </Link>
  )
}

function SelectAll({ isChecked, isPartly, onChange }: NonNullable<ListBarProps['selectsAll']>) {
  const text = useTexts(texts)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartly && !isChecked
  })
  return (
    <label className={classes(styles.mark, styles.shown)}>
      <input
        ref={input}
        type="checkbox"
        aria-label={text.selectLoaded}
        checked={isChecked}
        onChange={onChange}
      />
    </label>
  )
}
