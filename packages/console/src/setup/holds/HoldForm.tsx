import type { HoldReason } from '@backline/sdk'
import { optionsOf, useTemplates } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { DurationField } from '../../forms/DurationField.tsx'
import { Check, Group, Pair } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps } from '../resource/kind.ts'
import type { HoldDraft } from './draft.ts'
import { texts } from './texts.ts'

const sides = ['third_party', 'end_user', 'operator'] as const
const endings = ['resume', 'resolve', 'none'] as const
const usualFollowUp = { every_seconds: 172_800, template_id: '', max_count: 3 }

export function HoldForm({ draft, set, faults }: FormProps<HoldReason, HoldDraft>) {
  const text = useTexts(texts)
  const templates = useTemplates()
  const { follow_up } = draft
  const setFollowUp = (change: Partial<NonNullable<HoldDraft['follow_up']>>) =>
    set({ follow_up: { ...(follow_up ?? usualFollowUp), ...change } })
  return (
    <>
      <TextField
        label={text.name}
        error={faults.at('/name')}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label={text.description}
        hint={text.descriptionHint}
        error={faults.at('/description')}
        rows={2}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Select
        label={text.waitingFor}
        error={faults.at('/waiting_on')}
        options={sides.map((value) => ({ value, label: text[value] }))}
        value={draft.waiting_on}
        onChange={(event) => set({ waiting_on: event.target.value as HoldDraft['waiting_on'] })}
      />
      <Check
        label={text.pausesSla}
        hint={text.pausesSlaHint}
        checked={draft.pauses_sla}
        onChange={(pauses_sla) => set({ pauses_sla })}
      />
      <Check
        label={text.resumes}
        checked={draft.resumes_on_reply}
        onChange={(resumes_on_reply) => set({ resumes_on_reply })}
      />
      <Check
        label={text.needsNote}
        hint={text.needsNoteHint}
        checked={draft.requires_note}
        onChange={(requires_note) => set({ requires_note })}
      />
      <Group title={text.duration}>
        <Pair>
          <DurationField
            label={text.defaultDuration}
            hint={text.defaultHint}
            error={faults.at('/default_duration_seconds')}
            placeholder="2 d"
            seconds={draft.default_duration_seconds}
            onChange={(default_duration_seconds) => set({ default_duration_seconds })}
          />
          <DurationField
            label={text.maxDuration}
            hint={text.maxHint}
            error={faults.at('/max_duration_seconds')}
            placeholder="7 d"
            seconds={draft.max_duration_seconds}
            onChange={(max_duration_seconds) => set({ max_duration_seconds })}
          />
        </Pair>
        <Select
          label={text.onExpiry}
          error={faults.at('/on_expiry')}
          options={endings.map((value) => ({ value, label: text[value] }))}
          value={draft.on_expiry}
          onChange={(event) => set({ on_expiry: event.target.value as HoldDraft['on_expiry'] })}
        />
      </Group>
      <Group title={text.followUp} intro={text.followUpIntro}>
        <Check
          label={text.followUpOn}
          checked={follow_up !== null}
          onChange={(isOn) => set({ follow_up: isOn ? usualFollowUp : null })}
        />
        {follow_up && (
          <>
            <Select
              label={text.template}
              error={faults.at('/follow_up/template_id') ?? faults.at('/follow_up')}
              required
              options={[{ value: '', label: text.chooseTemplate }, ...optionsOf(templates.data)]}
              value={follow_up.template_id}
              onChange={(event) => setFollowUp({ template_id: event.target.value })}
            />
            <Pair>
              <DurationField
                label={text.every}
                hint={text.everyHint}
                error={faults.at('/follow_up/every_seconds')}
                required
                seconds={follow_up.every_seconds}
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
            </Pair>
          </>
        )}
      </Group>
    </>
  )
}
