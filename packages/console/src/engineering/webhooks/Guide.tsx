import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Code } from '../../design/Code.tsx'
import { Columns, Row, Stack } from '../../design/Layout.tsx'
import { Section } from '../../design/Page.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { Tag } from '../../design/Tag.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const node = `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { webhooks, WebhookVerificationError } from '@backline/sdk'

export const receiver = (secret) =>
  createServer(async (request, response) => {
    try {
      const event = await webhooks.unwrap(await buffer(request), request.headers, secret)
      response.writeHead(204).end()
      console.log(event.id, event.type)
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
    }
  })`

const python = `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/hooks/backline")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    print(event["id"], event["type"])
    return "", 204`

/** How a receiver verifies and answers, and when the server tries again. */
export function Guide() {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const { backline, session } = useEnvironment()
  const [tab, setTab] = useState<'node' | 'python'>('node')
  const service = useQuery({ queryKey: ['service'], queryFn: () => backline.service.retrieve() })
  return (
    <Section title={text.guide}>
      <Columns gap={6} least="22rem">
        <Stack gap={3}>
          <p>{text.guideText}</p>
          <Tabs
            chosen={tab}
            onSelect={(name) => setTab(name)}
            tabs={[
              { name: 'node', label: 'Node', content: <Code label="Node" value={node} /> },
              { name: 'python', label: 'Python', content: <Code label="Python" value={python} /> },
            ]}
          />
        </Stack>
        <Stack gap={3}>
          <h3>{text.schedule}</h3>
          <p>{text.scheduleText}</p>
          <Row as="ol" gap={1} wraps>
            {session.webhook_retry_seconds.map((seconds, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Pauses can be the same, and do not move.
              <li key={i}>
                <Tag name={duration(seconds)} />
              </li>
            ))}
          </Row>
          {service.data && <a href={`${service.data.links.guides}/webhooks`}>{text.more}</a>}
        </Stack>
      </Columns>
    </Section>
  )
}
