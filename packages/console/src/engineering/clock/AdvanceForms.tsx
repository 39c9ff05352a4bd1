import type { AdvanceTestClockBody } from '@backline/sdk'
import { useState } from 'react'
import type { Faults } from '../../data/faults.ts'
import { useEnvironmentNow } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { Fieldset, Select, TextField } from '../../design/Field.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './TestClock.module.css'
import { texts } from './texts.ts'

const units = [
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
] as const

type FormsProps = {
  isPending: boolean
  faults: Faults
  onAdvance(body: AdvanceTestClockBody): void
}

/** Forms that advance the clock by a duration, or to a time. */
export function AdvanceForms({ isPending, faults, onAdvance }: FormsProps) {
  const text = useTexts(texts)
  const nowMs = useEnvironmentNow()
  const [amount, setAmount] = useState('1')
  const [unit, setUnit] = useState('3600')
  const [to, setTo] = useState('')
  const seconds = Math.round(Number(amount) * Number(unit))
  const instant = fromLocal(to)
  return (
    <Row gap={6} wraps>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (seconds > 0) onAdvance({ seconds })
        }}
      >
        <Fieldset legend={<Quiet>{text.custom}</Quiet>}>
          <Row align="end" wraps>
            <TextField
              label={text.amount}
              className={styles.amount}
              type="number"
              min="0"
              step="any"
              value={amount}
              error={faults.at('/seconds')}
              onChange={(event) => setAmount(event.target.value)}
            />
            <Select
              label={text.unit}
              value={unit}
              options={units.map(([name, value]) => ({ value: String(value), label: text[name] }))}
              onChange={(event) => setUnit(event.target.value)}
            />
            <Button type="submit" disabled={isPending || !(seconds > 0)}>
              {text.advance}
            </Button>
          </Row>
        </Fieldset>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (instant !== null) onAdvance({ to: instant })
        }}
      >
        <Fieldset legend={<Quiet>{text.to}</Quiet>}>
          <Row align="end" wraps>
            <DateField
              label={text.toTime}
              hasTime
              value={to}
              min={toLocal(nowMs)}
              error={faults.at('/to')}
              onChange={(event) => setTo(event.target.value)}
            />
            <Button type="submit" disabled={isPending || instant === null}>
              {text.advance}
            </Button>
          </Row>
        </Fieldset>
      </form>
    </Row>
  )
}
