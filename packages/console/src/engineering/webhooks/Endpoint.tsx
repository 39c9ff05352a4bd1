import type { WebhookEndpoint } from '@backline/sdk'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Notice, Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Page, Section } from '../../design/Page.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useRemoval } from '../../resource/use-removal.tsx'
import { useTexts } from '../../texts/language.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import { Deliveries } from './Deliveries.tsx'
import { DeliveryPanel } from './DeliveryPanel.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { useEndpointResource } from './EndpointForm.tsx'
import { EndpointState, useFaultOf } from './EndpointState.tsx'
import { Guide } from './Guide.tsx'
import { endpointsKey, useEndpoint } from './queries.ts'
import { Recover } from './Recover.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { SendTest } from './SendTest.tsx'
import { texts } from './texts.ts'

export function Endpoint({ id, delivery }: { id: string; delivery?: string | undefined }) {
  const query = useEndpoint(id)
  return <Loaded query={query}>{(endpoint) => <Content endpoint={endpoint} deliveryId={delivery} />}</Loaded>
}

type Open = 'edit' | 'test' | 'recover' | 'rotate' | null

function Content({ endpoint, deliveryId }: { endpoint: WebhookEndpoint; deliveryId: string | undefined }) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const faultOf = useFaultOf()
  const { id, url, status } = endpoint
  const isEnabled = status === 'enabled'
  const close = () => setOpen(null)
  const setStatus = useWrite({
    run: (next: 'enabled' | 'paused') => backline.webhookEndpoints.update(id, { status: next }),
    refresh: [endpointsKey],
    failed: text.actionFailed,
  })
  const resource = useEndpointResource()
  const leave = () => navigate('/webhooks')
  const removal = useRemoval(resource, leave)
  const mayWrite = can('webhook_endpoints:write')
  useCommands(
    mayWrite
      ? [
          { label: text.test, group: url, icon: 'send', run: () => setOpen('test') },
          { label: text.recover, group: url, icon: 'refresh', run: () => setOpen('recover') },
          { label: text.edit, group: url, icon: 'edit', shortcut: 'e', run: () => setOpen('edit') },
        ]
      : [],
  )
  const fault = faultOf(endpoint)
  return (
    <Page
      title={url}
      intro={
        <Row as="span" wraps>
          <Link href="/webhooks">{text.title}</Link>
          <EndpointState endpoint={endpoint} />
          {endpoint.description}
        </Row>
      }
      actions={
        mayWrite && (
          <>
            <Button icon="send" disabled={!isEnabled} onClick={() => setOpen('test')}>
              {text.test}
            </Button>
            <Button icon="refresh" onClick={() => setOpen('recover')}>
              {text.recover}
            </Button>
            <Button
              icon={isEnabled ? 'pause' : 'play'}
              disabled={setStatus.isPending}
              onClick={() => setStatus.mutate(isEnabled ? 'paused' : 'enabled')}
            >
              {isEnabled ? text.pause : text.enable}
            </Button>
            <Menu
              trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
              groups={[
                [
                  { label: text.edit, icon: 'edit', shortcut: 'e', onSelect: () => setOpen('edit') },
                  { label: text.rotate, icon: 'key', onSelect: () => setOpen('rotate') },
                ],
                removal.itemsFor(endpoint),
              ]}
            />
          </>
        )
      }
    >
      {fault && <Notice tone={status === 'paused' ? 'warn' : 'bad'}>{fault}</Notice>}
      <Section title={text.settings}>
        <EndpointFacts endpoint={endpoint} />
      </Section>
      <Deliveries endpointId={id} />
      <Guide />
      <DeliveryPanel endpointId={id} id={deliveryId} />
      {open === 'edit' && (
        <ResourcePanel resource={resource} item={endpoint} onClose={close} onRemoved={leave} />
      )}
      {open === 'test' && <SendTest endpoint={endpoint} onClose={close} />}
      {open === 'recover' && <Recover endpointId={id} onClose={close} />}
      {open === 'rotate' && (
        <RotateSecret
          endpointId={id}
          onClose={close}
          onRotated={(made) => {
            close()
            setSecret(made)
          }}
        />
      )}
      {removal.dialog}
      <SecretDialog title={text.secretTitle} secret={secret} onClose={() => setSecret(null)}>
        <p>{text.secretNote}</p>
      </SecretDialog>
    </Page>
  )
}
