import { optionsOf, useTemplates } from '../../data/configuration.ts'
import type { Faults } from '../../data/faults.ts'
import { Select, TextArea } from '../../design/Field.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { ActionOf } from './actions.ts'
import { texts } from './texts.ts'

type ReplyProps = {
  action: ActionOf<'reply'>
  onChange(action: ActionOf<'reply'>): void
  faults: Faults
}

const statuses = ['open', 'pending', 'resolved'] as const

/** A public message: a text, or a template that is rendered when the macro is applied. */
export function ReplyAction({ action, onChange, faults }: ReplyProps) {
  const text = useTexts(texts)
  const templates = useTemplates()
  return (
    <>
      <FieldRow>
        <Select
          label={text.replyWith}
          error={faults.at('/template_id')}
          empty={text.ownText}
          options={optionsOf(templates.data)}
          value={action.template_id ?? ''}
          onChange={({ target }) =>
            onChange({
              ...action,
              template_id: target.value || null,
              body: target.value === '' ? (action.body ?? '') : null,
            })
          }
        />
        <Select
          label={text.afterwards}
          error={faults.at('/set_status')}
          empty={text.usual}
          options={statuses.map((value) => ({ value, label: text[value] }))}
          value={action.set_status ?? ''}
          onChange={({ target }) =>
            onChange({ ...action, set_status: (target.value || null) as typeof action.set_status })
          }
        />
      </FieldRow>
      {action.template_id === null && (
        <TextArea
          label={text.text}
          hideLabel
          required
          rows={4}
          error={faults.at('/body')}
          value={action.body ?? ''}
          onChange={(event) => onChange({ ...action, body: event.target.value })}
        />
      )}
    </>
  )
}
