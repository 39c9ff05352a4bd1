import { TextField } from '../../design/Field.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { useTexts } from '../../texts/language.tsx'
import { TypesFilter } from '../events/EventFilters.tsx'
import { isId } from '../events/filters.ts'
import { useActorNames } from '../shared/actor-names.ts'
import styles from './AuditFilters.module.css'
import { texts } from './texts.ts'

export const filterNames = ['actor', 'action', 'resource', 'from', 'to'] as const
type Values = Record<(typeof filterNames)[number], string>

export const isActorId = (text: string): boolean => isId(text) && /^(key|op|eu)_/.test(text)

type FiltersProps = { values: Values; onChange(changed: Partial<Values>): void }

export function AuditFilters({ values, onChange }: FiltersProps) {
  const text = useTexts(texts)
  const names = useActorNames()
  return (
    <>
      <TypesFilter value={values.action} onChange={(action) => onChange({ action })} />
      <TextField
        label={text.actor}
        hideLabel
        placeholder={text.actorId}
        list="audit-actors"
        spellCheck={false}
        value={values.actor}
        error={values.actor === '' || isActorId(values.actor) ? null : text.noActorId}
        onChange={(event) => onChange({ actor: event.target.value.trim() })}
      />
      <datalist id="audit-actors">
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <TextField
        label={text.resource}
        hideLabel
        placeholder={text.resource}
        spellCheck={false}
        value={values.resource}
        error={values.resource === '' || isId(values.resource) ? null : text.noId}
        onChange={(event) => onChange({ resource: event.target.value.trim() })}
      />
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className={styles.time}>
          <DateField
            label={text[name]}
            hasTime
            value={values[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        </div>
      ))}
    </>
  )
}
