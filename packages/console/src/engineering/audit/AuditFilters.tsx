import { TextField } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { TypesFilter } from '../events/EventFilters.tsx'
import { isId } from '../events/filters.ts'
import { ActorFilter, PeriodFilter } from '../shared/Filters.tsx'
import { texts } from './texts.ts'

export const filterNames = ['actor', 'action', 'resource', 'from', 'to'] as const
type Values = Record<(typeof filterNames)[number], string>

export const isActorId = (text: string): boolean => isId(text) && /^(key|op|eu)_/.test(text)

type FiltersProps = { values: Values; onChange(changed: Partial<Values>): void }

export function AuditFilters({ values, onChange }: FiltersProps) {
  const text = useTexts(texts)
  return (
    <>
      <TypesFilter value={values.action} onChange={(action) => onChange({ action })} />
      <ActorFilter
        label={text.actor}
        placeholder={text.actorId}
        value={values.actor}
        error={values.actor === '' || isActorId(values.actor) ? null : text.noActorId}
        onChange={(actor) => onChange({ actor })}
      />
      <TextField
        label={text.resource}
        hideLabel
        placeholder={text.resource}
        spellCheck={false}
        value={values.resource}
        error={values.resource === '' || isId(values.resource) ? null : text.noId}
        onChange={(event) => onChange({ resource: event.target.value.trim() })}
      />
      <PeriodFilter values={values} onChange={onChange} />
    </>
  )
}
