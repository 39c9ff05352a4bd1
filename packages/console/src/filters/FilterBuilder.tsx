import type { FilterTree } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import type { Faults } from '../data/faults.ts'
import { Button } from '../design/Button.tsx'
import { TextArea } from '../design/Field.tsx'
import { Row, Stack } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Filter.module.css'
import { FilterNode } from './FilterNode.tsx'
import { Matches } from './Matches.tsx'
import { texts } from './texts.ts'
import { asGroup, isComplete, isFilter } from './tree.ts'
import { useFields } from './use-fields.ts'

type FilterBuilderProps = {
  appliesTo: 'conversation' | 'end_user'
  filter: FilterTree
  onChange(filter: FilterTree): void
  faults: Faults
  /** False if no operator reads what the filter chooses: it cannot contain `me` then. */
  hasReader?: boolean
}

/** Edits a filter as nested groups of conditions, or as JSON, and counts what it matches. */
export function FilterBuilder({ appliesTo, filter, onChange, faults, hasReader = true }: FilterBuilderProps) {
  const text = useTexts(texts)
  const fields = useFields(appliesTo, hasReader)
  const [isJson, setJson] = useState(false)
  return (
    <Stack>
      <Row gap={3} justify="between">
        <Matches
          appliesTo={appliesTo}
          filter={filter}
          isComplete={isComplete(filter, new Set(fields.map(({ field }) => field)))}
        />
        <Button variant="plain" icon={isJson ? 'sliders' : 'code'} onClick={() => setJson(!isJson)}>
          {isJson ? text.asForm : text.asJson}
        </Button>
      </Row>
      {isJson ? (
        <JsonField filter={filter} onChange={onChange} error={faults.under('')} />
      ) : (
        <FilterNode
          node={filter}
          depth={0}
          fields={fields}
          faults={faults}
          onChange={(next) => onChange(asGroup(next))}
        />
      )}
    </Stack>
  )
}

type JsonFieldProps = {
  filter: FilterTree
  onChange(filter: FilterTree): void
  error: string | undefined
}

/** The filter as the API has it. What is no filter keeps the form from being sent. */
function JsonField({ filter, onChange, error }: JsonFieldProps) {
  const text = useTexts(texts)
  const area = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState(() => JSON.stringify(filter, null, 2))
  const [wrong, setWrong] = useState<string | null>(null)
  useEffect(() => area.current?.setCustomValidity(wrong ?? ''), [wrong])
  function read(next: string): void {
    setTyped(next)
    let value: unknown
    try {
      value = JSON.parse(next)
    } catch {
      setWrong(text.notJson)
      return
    }
    setWrong(isFilter(value) ? null : text.notFilter)
    if (isFilter(value)) onChange(asGroup(value))
  }
  return (
    <TextArea
      ref={area}
      label={text.json}
      hideLabel
      spellCheck={false}
      rows={Math.min(24, typed.split('\n').length + 1)}
      isCode
      className={styles.json}
      error={wrong ?? error}
      value={typed}
      onChange={(event) => read(event.target.value)}
    />
  )
}
