import type { Mailbox } from '@backline/sdk'
import { nameIn, useDepartmentNames, useTemplates } from '../../data/configuration.ts'
import { Copied } from '../../design/Code.tsx'
import { Columns } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** The settings of a mailbox that are not part of a step. */
export function MailboxFacts({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const departmentName = useDepartmentNames()
  const templates = useTemplates()
  const { id, address, aliases, auto_reply: reply, from_name: name, signature } = mailbox
  const template = reply && (nameIn(templates.data, reply.template_id) ?? reply.template_id)
  return (
    <Columns gap={6} least="22rem">
      <DescriptionList
        items={[
          [text.address, <Copied key="address" value={address} what={text.address} isText />],
          [text.aliases, aliases.join(', ') || text.nothing],
          [text.department, departmentName(mailbox.department_id) ?? text.noDepartment],
          [text.fromName, name === null ? '–' : <code key="name">{name}</code>],
          [text.signature, signature === null ? '–' : <code key="signature">{signature}</code>],
          [text.id, <Copied key="id" value={id} what={text.id} />],
        ]}
      />
      <DescriptionList
        items={[
          [text.plus, mailbox.plus_addressing ? text.yes : text.no],
          [text.replyToSenders, mailbox.reply_to_senders.join(', ') || text.nothing],
          [text.autoReply, reply === null ? text.noReply : `${template} · ${text[reply.to] ?? reply.to}`],
          [text.quote, mailbox.quote === 'last' ? text.quoteLast : text.quoteNone],
          [text.attachMax, number(Math.round((mailbox.attach_max_bytes / 2 ** 20) * 100) / 100)],
          [text.rate, number(mailbox.rate_per_minute)],
        ]}
      />
    </Columns>
  )
}
