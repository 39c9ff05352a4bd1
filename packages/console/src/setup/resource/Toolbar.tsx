import type { ReactNode } from 'react'
import { Checkbox, TextField } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Resource.module.css'
import { texts } from './texts.ts'

type ToolbarProps = {
  query: string
  onQuery(query: string): void
  isArchived: boolean
  onArchived(isArchived: boolean): void
  children?: ReactNode
}

/** Search and choices above a list. */
export function Toolbar({ query, onQuery, isArchived, onArchived, children }: ToolbarProps) {
  const text = useTexts(texts)
  return (
    <Row as="search" gap={3} wraps justify="between">
      <div className={styles.search}>
        <TextField
          label={text.search}
          hideLabel
          type="search"
          placeholder={text.search}
          value={query}
          onChange={(event) => onQuery(event.target.value)}
        />
      </div>
      {children}
      <Checkbox
        label={text.showArchived}
        checked={isArchived}
        onChange={(event) => onArchived(event.target.checked)}
      />
    </Row>
  )
}
