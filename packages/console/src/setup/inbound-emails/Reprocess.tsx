import type { InboundEmail } from '@backline/sdk'
import { type SubmitEvent, useState } from 'react'
import { useEveryMailbox } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Takes a mail up again that failed or was ignored, for a mailbox that a person chooses. */
export function Reprocess({ email }: { email: InboundEmail }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const mailboxes = useEveryMailbox()
  const [mailboxId, setMailboxId] = useState(email.mailbox_id ?? '')
  const offered = mailboxes.data?.filter(({ archived }) => !archived) ?? []
  const reprocess = useWrite({
    run: () => backline.inboundEmails.reprocess(email.id, mailboxId === '' ? {} : { mailbox_id: mailboxId }),
    refresh: [['inbound_emails']],
    failed: text.notReprocessed,
    fields: ['mailbox_id'],
    onDone: () => toast.done({ title: text.reprocessed }),
  })
  return (
    <Row
      as="form"
      wraps
      align="end"
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        reprocess.mutate()
      }}
    >
      <Select
        label={text.reprocessIn}
        error={reprocess.faults.at('/mailbox_id')}
        empty={text.asAddressed}
        options={offered.map(({ id, address }) => ({ value: id, label: address }))}
        value={mailboxId}
        onChange={(event) => setMailboxId(event.target.value)}
      />
      <Button type="submit" variant="primary" icon="refresh" disabled={reprocess.isPending}>
        {text.reprocess}
      </Button>
    </Row>
  )
}
