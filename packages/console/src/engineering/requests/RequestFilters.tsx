import { Select, TextField } from '../../design/Field.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from '../audit/AuditFilters.module.css'
import { useActorNames } from '../shared/actor-names.ts'
import { senderParameter, type Values } from './filters.ts'
import { texts } from './texts.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

type FiltersProps = { values: Values; onChange(changed: Partial<Values>): void }

export function RequestFilters({ values, onChange }: FiltersProps) {
  const text = useTexts(texts)
  const names = useActorNames()
  return (
    <>
      <Select
        label={text.status}
        hideLabel
        value={values.status}
        options={[
          { value: '', label: text.anyStatus },
          { value: '2xx', label: text.succeeded },
          { value: '4xx', label: text.refused },
          { value: '5xx', label: text.failed },
        ]}
        onChange={(event) => onChange({ status: event.target.value })}
      />
      <Select
        label={text.method}
        hideLabel
        value={values.method}
        options={[
          { value: '', label: text.anyMethod },
          ...methods.map((method) => ({ value: method, label: method })),
        ]}
        onChange={(event) => onChange({ method: event.target.value })}
      />
      <TextField
        label={text.route}
        hideLabel
        placeholder="/v1/conversations/{id}"
        spellCheck={false}
        value={values.route}
        onChange={(event) => onChange({ route: event.target.value.trim() })}
      />
      <TextField
        label={text.sender}
        hideLabel
        placeholder={text.sender}
        list="request-senders"
        spellCheck={false}
        value={values.sender}
        error={values.sender === '' || senderParameter(values.sender) ? null : text.noSender}
        onChange={(event) => onChange({ sender: event.target.value.trim() })}
      />
      <datalist id="request-senders">
        {[...names].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
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
