import type { EventType } from '@backline/sdk'
import { Checkbox } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Failed, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './EventTypePicker.module.css'
import { covers, groupsOf, useEventTypes } from './event-types.ts'
import { texts } from './texts.ts'

type PickerProps = {
  legend: string
  chosen: string[]
  onChange(chosen: string[]): void
  error?: string | null
}

/** Chooses types of events: all, all of a resource, or single ones. */
export function EventTypePicker({ legend, chosen, onChange, error }: PickerProps) {
  const text = useTexts(texts)
  const types = useEventTypes()
  const isAll = chosen.includes('*')
  return (
    <fieldset className={styles.picker}>
      <legend>{legend}</legend>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <div className={styles.box}>
        <div className={styles.all}>
          <Checkbox label={text.allEvents} checked={isAll} onChange={() => onChange(isAll ? [] : ['*'])} />
        </div>
        {types.isPending && <Loading />}
        {types.isError && <Failed error={types.error} onRetry={() => void types.refetch()} />}
        {!isAll &&
          groupsOf(types.data ?? []).map(([group, each]) => (
            <Group key={group} group={group} types={each} chosen={chosen} onChange={onChange} />
          ))}
      </div>
    </fieldset>
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
    <details className={styles.group}>
      <summary>
        <Icon name="chevronRight" size={12} />
        <code>{group}</code>
        <span className={styles.count}>{count > 0 && text.chosen(count, names.length)}</span>
      </summary>
      <div className={styles.types}>
        <Checkbox
          label={text.allOf(group)}
          checked={isWhole}
          onChange={() => onChange(isWhole ? others : [...others, wildcard])}
        />
        {types.map(({ type, description }) => (
          <Checkbox
            key={type}
            label={
              <span className={styles.type}>
                <code>{type}</code>
                <small>{description.replaceAll('`', '')}</small>
              </span>
            }
            checked={covers(chosen, type)}
            onChange={() => toggle(type)}
          />
        ))}
      </div>
    </details>
  )
}
