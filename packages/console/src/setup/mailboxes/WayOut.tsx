import type { Mailbox } from '@backline/sdk'
import { Code } from '../../design/Code.tsx'
import { Quiet, Stack } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { stepTexts } from './step-texts.ts'
import { texts } from './texts.ts'
import { useWhere } from './WayIn.tsx'
import { reportRequest, senderRecords } from './ways.ts'

/** Says who sends, and what others need to believe it. */
export function WayOut({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  const step = useTexts(stepTexts)
  const where = useWhere()
  const { outbound, smtp } = mailbox
  const securities = { tls: text.tls, starttls: text.starttls, none: text.noSecurity }
  return (
    <Stack gap={3}>
      {outbound === 'smtp' && smtp ? (
        <DescriptionList
          items={[
            [text.relay, `${smtp.host}:${smtp.port}`],
            [text.security, securities[smtp.security] ?? smtp.security],
            [text.username, smtp.username ?? '–'],
          ]}
        />
      ) : (
        <>
          <p>{step.clientText}</p>
          <Code label={step.request} value={reportRequest(where)} />
          <Quiet as="p">{step.clientHint}</Quiet>
        </>
      )}
      <p>{step.dnsOut}</p>
      <Code label={step.senderDns} value={senderRecords(mailbox)} />
    </Stack>
  )
}
