import { useClock } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { defineTexts } from '../../texts/define.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'

const texts = defineTexts({
  inOneHour: { en: 'In 1 h', de: 'In 1 h' },
  tomorrow: { en: (time: string) => `Tomorrow, ${time}`, de: (time: string) => `Morgen, ${time}` },
  monday: { en: (time: string) => `Monday, ${time}`, de: (time: string) => `Montag, ${time}` },
})

const monday = 1

function morning(nowMs: number, isRight: (day: Date) => boolean): string {
  const at = new Date(nowMs)
  do at.setDate(at.getDate() + 1)
  while (!isRight(at))
  at.setHours(9, 0, 0, 0)
  return at.toISOString()
}

const presets = {
  inOneHour: (nowMs: number) => new Date(nowMs + 3_600_000).toISOString(),
  tomorrow: (nowMs: number) => morning(nowMs, () => true),
  monday: (nowMs: number) => morning(nowMs, (day) => day.getDay() === monday),
}

type TimeFieldProps = {
  label: string
  hint?: string
  error?: string | null
  /** RFC 3339; null for none. */
  value: string | null
  onChange(value: string | null): void
}

/** A time in the future, by its field or by one of the usual choices. */
export function TimeField({ label, hint, error, value, onChange }: TimeFieldProps) {
  const clock = useClock()
  const text = useTexts(texts)
  const { time } = useFormats()
  return (
    <Stack>
      <DateField
        hasTime
        label={label}
        hint={hint}
        error={error}
        min={toLocal(clock())}
        value={value ? toLocal(Date.parse(value)) : ''}
        onChange={(event) => onChange(fromLocal(event.target.value))}
      />
      <Row wraps>
        {(Object.keys(presets) as (keyof typeof presets)[]).map((name) => (
          <Button key={name} onClick={() => onChange(presets[name](clock()))}>
            {name === 'inOneHour' ? text[name] : text[name](time(presets[name](clock())))}
          </Button>
        ))}
      </Row>
    </Stack>
  )
}
