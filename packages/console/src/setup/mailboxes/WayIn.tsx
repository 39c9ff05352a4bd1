import type { Mailbox } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Code } from '../../design/Code.tsx'
import { Stack } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { stepTexts } from './step-texts.ts'
import { texts } from './texts.ts'
import { deliverRequest, fetchCommand, listenSettings, mxRecords, postfixFiles } from './ways.ts'

/** The server, as examples name it. */
export function useWhere(): { url: string; environment: string } {
  const { name, session } = useEnvironment()
  return { url: session.public_url.replace(/\/$/, ''), environment: name }
}

/** The ways in, each with texts to copy. */
export function WayIn({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  const step = useTexts(stepTexts)
  const where = useWhere()
  const { backline } = useEnvironment()
  const [way, setWay] = useState<'server' | 'provider' | 'fetch'>('server')
  const service = useQuery({ queryKey: ['service'], queryFn: () => backline.service.retrieve() })
  const { trusted_authserv_ids: trusted } = mailbox
  return (
    <Stack gap={3}>
      <p>{step.wayInIntro}</p>
      <Tabs
        chosen={way}
        onSelect={(name) => setWay(name)}
        tabs={[
          {
            name: 'server',
            label: step.ownServer,
            content: (
              <Stack gap={3}>
                <p>{step.mxOwn}</p>
                <Code label={step.mx} value={mxRecords(mailbox, 'mail.example')} />
                <p>{step.listen}</p>
                <Code label={step.settings} value={listenSettings} />
                <p>{step.postfix}</p>
                <Code label="Postfix" value={postfixFiles(mailbox)} />
              </Stack>
            ),
          },
          {
            name: 'provider',
            label: step.provider,
            content: (
              <Stack gap={3}>
                <p>{step.mxProvider}</p>
                <Code label={step.mx} value={mxRecords(mailbox, 'inbound.provider.example')} />
                <p>{step.webhook}</p>
                <Code label={step.request} value={deliverRequest(mailbox, where)} />
              </Stack>
            ),
          },
          {
            name: 'fetch',
            label: step.fetching,
            content: (
              <Stack gap={3}>
                <p>{step.fetchText}</p>
                <Code label={step.command} value={fetchCommand(mailbox, where)} />
              </Stack>
            ),
          },
        ]}
      />
      <DescriptionList items={[[text.trusted, trusted.join(', ') || text.nothing]]} />
      <small>{text.trustedHint}</small>
      {service.data && <a href={`${service.data.links.guides}/mail`}>{step.guide}</a>}
    </Stack>
  )
}
