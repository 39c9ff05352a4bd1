import type { Mailbox, MessageEmail } from '@backline/sdk'
import { ifUnchanged } from '../../data/conditional-write.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Notice } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { stepTexts } from './step-texts.ts'
import { texts } from './texts.ts'
import { resultsIn } from './ways.ts'

type TrustProps = { mailbox: Mailbox; headers: MessageEmail['headers'] }

/** Names the server that checked the sender of a mail, and offers to trust it from now on. */
export function TrustServer({ mailbox, headers }: TrustProps) {
  const text = useTexts(texts)
  const step = useTexts(stepTexts)
  const toast = useToast()
  const { backline, can } = useEnvironment()
  const { id, trusted_authserv_ids: trusted } = mailbox
  const trust = useWrite({
    run: (server: string) =>
      backline.mailboxes.update(id, { trusted_authserv_ids: [...trusted, server] }, ifUnchanged(mailbox)),
    refresh: [['mailboxes']],
    failed: text.notChanged,
    onDone: (_, server) => toast.done({ title: step.trusts(server) }),
  })
  // The topmost one is that of the server which took the mail last.
  const header = headers.find(({ name }) => name.toLowerCase() === 'authentication-results')
  const found = header ? resultsIn(header.value) : null
  if (found === null) return <Notice tone="warn">{step.nothingReported}</Notice>
  const { server, results } = found
  if (trusted.some((each) => each.toLowerCase() === server.toLowerCase())) return null
  return (
    <Notice tone="warn">
      <p>{step.notTrusted(server)}</p>
      <p>
        {step.reported}: <code>{results}</code>
      </p>
      <p>{step.trustOnly}</p>
      {can('mailboxes:write') && (
        <div>
          <Button disabled={trust.isPending} onClick={() => trust.mutate(server)}>
            {step.trust(server)}
          </Button>
        </div>
      )}
    </Notice>
  )
}
