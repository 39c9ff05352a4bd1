import type { EventType } from '@backline/sdk'
import { Checkbox, Fieldset } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import { FramedList, Row, Stack } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './EventTypePicker.module.css'
import { covers, groupsOf, useEventTypes } from './event-types.ts'
import { texts } from './texts.ts'

type PickerProps = {
  label: string
  value: string[]
  onChange(value: string[]): void
  error?: string | null | undefined
}

/** Chooses types of events: all, all of a resource, or single ones. */
export function EventTypePicker({ label, value, onChange, error }: PickerProps) {
  const text = useTexts(texts)
  const types = useEventTypes()
  const isAll = value.includes('*')
  return (
    <Fieldset legend={label} error={error}>
      <FramedList as="div">
        <div className={styles.all}>
          <Checkbox label={text.allEvents} checked={isAll} onChange={() => onChange(isAll ? [] : ['*'])} />
        </div>
        {types.isPending && <Loading />}
        {types.isError && <ErrorState error={types.error} onRetry={() => void types.refetch()} />}
        {!isAll &&
          groupsOf(types.data ?? []).map(([group, each]) => (
            <Group key={group} group={group} types={each} chosen={value} onChange={onChange} />
          ))}
      </FramedList>
    </Fieldset>
  )
}

type GroupProps = { group: string; types: EventType[]; chosen: string[]; onChange(chosen: string[]): void }

function Group({ group, types, chosen, onChange }: GroupProps) {
  const text = useTexts(texts)
  const wildcard = `${group}.*`
  const isWhole = chosen.includes(wildcard)
  const names = types.map(({ type }) => type)
  const others = chosen.filter((each) => each !== wildcard && !names.includes(each))
  const count = names.filter((name) => covers(chosen, name)).length
  const toggle = (type: string) =>
    isWhole
      ? onChange([...others, ...names.filter((name) => name !== type)])
      : onChange(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type])
  return (
    <details>
      <Row as="summary" className={styles.group}>
        <Icon name="chevronRight" size={12} />
        <code>{group}</code>
        <small className={styles.count}>{count > 0 && text.chosen(count, names.length)}</small>
      </Row>
      <Stack gap={1} className={styles.types}>
        <Checkbox
          label={text.allOf(group)}
          checked={isWhole}
          onChange={() => onChange(isWhole ? others : [...others, wildcard])}
        />
        {types.map(({ type, description }) => (
          <Checkbox
            key={type}
            label={
              <Stack as="span" gap={0}>
                <code>{type}</code>
                <small>{description.replaceAll('`', '')}</small>
              </Stack>
            }
            checked={covers(chosen, type)}
            onChange={() => toggle(type)}
          />
        ))}
      </Stack>
    </details>
  )
}
