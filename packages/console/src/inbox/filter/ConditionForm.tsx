import type { FilterCondition } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import { Faults } from '../../data/faults.ts'
import { Button } from '../../design/Button.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Condition } from '../../filters/Condition.tsx'
import styles from '../../filters/Filter.module.css'
import { isComplete, isCondition } from '../../filters/tree.ts'
import type { NamedField } from '../../filters/use-fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type ConditionFormProps = {
  condition: FilterCondition
  fields: NamedField[]
  onApply(condition: FilterCondition): void
}

const none = new Faults([])
const valueControl = `.${styles.value} :is(input:not([tabindex="-1"]), select, button)`

/** Edits one condition. The list follows when it is applied. */
export function ConditionForm({ condition, fields, onApply }: ConditionFormProps) {
  const text = useTexts(texts)
  const [draft, setDraft] = useState(condition)
  const form = useRef<HTMLFormElement>(null)
  // The value is what people come for; before it are the field and the operator.
  useEffect(() => form.current?.querySelector<HTMLElement>(valueControl)?.focus(), [])
  return (
    <Stack
      as="form"
      ref={form}
      onSubmit={(event: { preventDefault(): void }) => {
        event.preventDefault()
        onApply(draft)
      }}
    >
      <Condition
        condition={draft}
        fields={fields}
        faults={none}
        onChange={(next) => isCondition(next) && setDraft(next)}
      />
      <Row justify="end">
        <Button
          type="submit"
          variant="primary"
          disabled={!isComplete(draft, new Set(fields.map(({ field }) => field)))}
        >
          {text.apply}
        </Button>
      </Row>
    </Stack>
  )
}
