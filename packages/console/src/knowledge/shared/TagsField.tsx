import { useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { TextField } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './TagsField.module.css'
import { texts } from './texts.ts'

type TagsFieldProps = {
  value: string[]
  onChange(tags: string[]): void
  error?: string | undefined
  disabled?: boolean
}

const mostTags = 50

/** Tags by their names: known ones are suggested, others are created by the server. */
export function TagsField({ value, onChange, error, disabled = false }: TagsFieldProps) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const known = useAll(['tags'], () => backline.tags.list({ limit: 100 })).data ?? []
  const isHeld = (name: string) => value.some((each) => each.toLowerCase() === name.toLowerCase())
  function add(name: string): void {
    const tag = name.trim()
    setTyped('')
    if (tag !== '' && !isHeld(tag) && value.length < mostTags) onChange([...value, tag])
  }
  return (
    <div className={styles.tags}>
      {value.length > 0 && (
        <ul className={styles.list} aria-label={text.tags}>
          {value.map((tag) => (
            <li key={tag} className={styles.tag}>
              {tag}
              {!disabled && (
                <button
                  type="button"
                  aria-label={text.removeTag(tag)}
                  onClick={() => onChange(value.filter((each) => each !== tag))}
                >
                  <Icon name="close" size={12} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!disabled && (
        <>
          <TextField
            label={text.tags}
            hint={text.tagsHint}
            error={error}
            list={listId}
            maxLength={50}
            value={typed}
            onChange={(event) => {
              const { value: next } = event.target
              if (next.endsWith(',')) add(next.slice(0, -1))
              else setTyped(next)
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              add(typed)
            }}
            onBlur={() => add(typed)}
          />
          <datalist id={listId}>
            {can('tags:read') &&
              known
                .filter(({ name }) => !isHeld(name))
                .map(({ id, name }) => <option key={id} value={name} />)}
          </datalist>
        </>
      )}
    </div>
  )
}
