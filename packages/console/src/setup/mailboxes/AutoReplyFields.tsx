import type { Mailbox } from '@backline/sdk'
import { optionsOf, useTemplates, withStored } from '../../data/configuration.ts'
import { Select } from '../../design/Field.tsx'
import { FieldRow, Group } from '../../forms/Form.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import type { MailboxDraft } from './draft.ts'
import { texts } from './texts.ts'

/** The reply to each mail that begins a conversation. */
export function AutoReplyFields({ draft, set, faults, item }: FormProps<Mailbox, MailboxDraft>) {
  const text = useTexts(texts)
  const templates = useTemplates()
  const reply = draft.auto_reply
  return (
    <Group title={text.autoReply} intro={text.autoReplyIntro}>
      <FieldRow>
        <Select
          label={text.template}
          error={faults.under('/auto_reply/template_id')}
          empty={text.noReply}
          options={withStored(
            optionsOf(templates.data),
            item?.auto_reply?.template_id ?? null,
            text.archived,
          )}
          value={reply.template_id ?? ''}
          onChange={({ target }) => set({ auto_reply: { ...reply, template_id: target.value || null } })}
        />
        {reply.template_id !== null && (
          <Select
            label={text.replyTo}
            error={faults.under('/auto_reply/to')}
            hint={reply.to === 'anyone' && text.anyoneHint}
            options={[
              { value: 'authenticated', label: text.authenticated },
              { value: 'anyone', label: text.anyone },
            ]}
            value={reply.to}
            onChange={({ target }) => set({ auto_reply: { ...reply, to: target.value as typeof reply.to } })}
          />
        )}
      </FieldRow>
    </Group>
  )
}
