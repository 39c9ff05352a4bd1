import type { HoldReason } from '@backline/sdk'
import { optionsOf, useTemplates } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { DurationField } from '../../forms/DurationField.tsx'
import { CheckboxField, FieldRow, Group } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import type { HoldDraft } from './draft.ts'
import { texts } from './texts.ts'

const sides = ['third_party', 'end_user', 'operator'] as const
const endings = ['resume', 'resolve', 'none'] as const
const usualFollowUp = { every_seconds: 172_800, template_id: '', max_count: 3 }

export function HoldForm({ draft, set, faults, field, input, select }: FormProps<HoldReason, HoldDraft>) {
  const text = useTexts(texts)
  const templates = useTemplates()
  const { follow_up } = draft
  const setFollowUp = (change: Partial<NonNullable<HoldDraft['follow_up']>>) =>
    set({ follow_up: { ...(follow_up ?? usualFollowUp), ...change } })
  return (
    <>
      <TextField {...input('name')} required />
      <TextArea {...input('description')} hint={text.descriptionHint} rows={2} />
      <Select {...select('waiting_on')} options={sides.map((value) => ({ value, label: text[value] }))} />
      <CheckboxField {...field('pauses_sla')} hint={text.pausesSlaHint} />
      <CheckboxField {...field('resumes_on_reply')} />
      <CheckboxField {...field('requires_note')} hint={text.needsNoteHint} />
      <Group title={text.duration}>
        <FieldRow>
          <DurationField {...field('default_duration_seconds')} hint={text.defaultHint} placeholder="2 d" />
          <DurationField {...field('max_duration_seconds')} hint={text.maxHint} placeholder="7 d" />
        </FieldRow>
        <Select {...select('on_expiry')} options={endings.map((value) => ({ value, label: text[value] }))} />
      </Group>
      <Group title={text.followUp} intro={text.followUpIntro}>
        <CheckboxField
          label={text.followUpOn}
          value={follow_up !== null}
          onChange={(isOn) => set({ follow_up: isOn ? usualFollowUp : null })}
        />
        {follow_up && (
          <>
            <Select
              label={text.template}
              error={faults.at('/follow_up/template_id') ?? faults.at('/follow_up')}
              required
              empty={text.chooseTemplate}
              options={optionsOf(templates.data)}
              value={follow_up.template_id}
              onChange={(event) => setFollowUp({ template_id: event.target.value })}
            />
            <FieldRow>
              <DurationField
                label={text.every}
                hint={text.everyHint}
                error={faults.at('/follow_up/every_seconds')}
                required
                value={follow_up.every_seconds}
                onChange={(seconds) => setFollowUp({ every_seconds: seconds ?? 0 })}
              />
              <NumberField
                label={text.count}
                error={faults.at('/follow_up/max_count')}
                min={1}
                required
                value={follow_up.max_count}
                onChange={(count) => setFollowUp({ max_count: count ?? 1 })}
              />
            </FieldRow>
          </>
        )}
      </Group>
    </>
  )
}
