import type { Mailbox, MailboxVerification } from '@backline/sdk'
import { type SubmitEvent, useState } from 'react'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Code } from '../../design/Code.tsx'
import { TextField } from '../../design/Field.tsx'
import { Notice, Row, Stack } from '../../design/Layout.tsx'
import { wordOf } from '../../mail/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { stepTexts } from './step-texts.ts'
import { texts } from './texts.ts'

/** The server answers within 20 seconds. */
const timeoutMs = 30_000

/** Sends a test mail, and shows how far it came and what the relay answered. */
export function TestOut({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  const step = useTexts(stepTexts)
  const { backline, operator } = useEnvironment()
  const [to, setTo] = useState(operator.email)
  const [result, setResult] = useState<MailboxVerification | null>(null)
  const test = useWrite({
    run: (recipient: string) =>
      backline.mailboxes.verify(mailbox.id, { to: recipient }, { timeoutMs, maxRetries: 0 }),
    refresh: [['mailboxes']],
    failed: step.notTested,
    fields: ['to'],
    onDone: setResult,
  })
  return (
    <Stack gap={3}>
      <p>{step.testOutText}</p>
      <Row
        as="form"
        wraps
        align="end"
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault()
          setResult(null)
          test.mutate(to.trim())
        }}
      >
        <TextField
          label={step.testTo}
          type="email"
          required
          value={to}
          error={test.faults.at('/to')}
          onChange={(event) => setTo(event.target.value)}
        />
        <Button type="submit" variant="primary" icon="send" disabled={test.isPending || mailbox.archived}>
          {test.isPending ? step.sendingTest : step.sendTest}
        </Button>
      </Row>
      <div role="status">{result && <Outcome result={result} />}</div>
      {mailbox.verified_at !== null && !result && (
        <Row wraps>
          <Badge tone="good">{text.verified}</Badge>
          <small>
            <When at={mailbox.verified_at} />
          </small>
        </Row>
      )}
    </Stack>
  )
}

function Outcome({ result: { ok, stage, response } }: { result: MailboxVerification }) {
  const step = useTexts(stepTexts)
  return (
    <Stack>
      <Notice tone={ok ? 'good' : 'bad'} icon={ok ? 'check' : 'warning'}>
        {ok ? step.succeeded : wordOf(step, stage ?? 'connect')}
      </Notice>
      {response !== '' && <Code label={step.answer} value={response} />}
    </Stack>
  )
}
