import type { TestWebhookEndpointBody, WebhookEndpoint } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Json } from '../../design/Code.tsx'
import { Select } from '../../design/Field.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { useTexts } from '../../texts/language.tsx'
import { covers, useEventTypes } from '../shared/event-types.ts'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

/** Sends an example of a type. Those that the endpoint has chosen come first. */
export function SendTest({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<string | null>(null)
  const types = useEventTypes()
  const isChosen = ({ type }: { type: string }) => covers(endpoint.enabled_events, type)
  const sorted = (types.data ?? []).toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
  const type = chosen ?? sorted[0]?.type
  const send = useWrite({
    run: () =>
      backline.webhookEndpoints.test(endpoint.id, {
        event_type: type as TestWebhookEndpointBody['event_type'],
      }),
    refresh: [endpointsKey],
    failed: text.testFailed,
    fields: ['event_type'],
    onDone({ id }) {
      onClose()
      navigate(`/webhooks/${endpoint.id}/deliveries/${id}`)
    },
  })
  return (
    <ActionDialog
      title={text.test}
      action={text.send}
      width="wide"
      isDisabled={send.isPending || type === undefined}
      onSubmit={send.mutate}
      onClose={onClose}
    >
      <p>{text.testText}</p>
      <Loaded query={types}>
        {() => (
          <>
            <Select
              label={text.type}
              value={type}
              error={send.faults.at('/event_type')}
              onChange={(event) => setChosen(event.target.value)}
              options={sorted.map((each) => ({ value: each.type, label: each.type }))}
            />
            <Json label={text.event} value={sorted.find((each) => each.type === type)?.example} />
          </>
        )}
      </Loaded>
    </ActionDialog>
  )
}
