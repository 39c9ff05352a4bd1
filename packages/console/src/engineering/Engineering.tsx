import { Route, Switch, useLocation } from 'wouter'
import { AreaLinks } from '../app/AreaLinks.tsx'
import { AreaNavigation } from '../app/AreaNavigation.tsx'
import { useCommands } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import type { IconName } from '../design/Icon.tsx'
import { Empty } from '../design/States.tsx'
import { useTexts } from '../texts/language.tsx'
import { AuditLog } from './audit/AuditLog.tsx'
import { TestClock } from './clock/TestClock.tsx'
import { Events } from './events/Events.tsx'
import { Keys } from './keys/Keys.tsx'
import { Overview } from './overview/Overview.tsx'
import { texts } from './texts.ts'
import { Endpoint } from './webhooks/Endpoint.tsx'
import { Endpoints } from './webhooks/Endpoints.tsx'

type EngineeringPage = { path: string; label: string; icon: IconName; isOffered: boolean }

/** The area of the people who run Backline and build on its API. */
export function Engineering() {
  const text = useTexts(texts)
  const { name, can } = useEnvironment()
  const [, navigate] = useLocation()
  const all: EngineeringPage[] = [
    { path: '', label: text.overview, icon: 'heart', isOffered: true },
    {
      path: 'events',
      label: text.events,
      icon: 'list',
      isOffered: can('events:read') && can('audit_log:read'),
    },
    { path: 'webhooks', label: text.webhooks, icon: 'webhook', isOffered: can('webhook_endpoints:read') },
    { path: 'keys', label: text.keys, icon: 'key', isOffered: can('api_keys:read') },
    { path: 'audit', label: text.audit, icon: 'shield', isOffered: can('audit_log:read') },
    {
      path: 'clock',
      label: text.testClock,
      icon: 'clock',
      isOffered: name === 'test' && can('workspace:read'),
    },
  ]
  const pages = all.filter(({ isOffered }) => isOffered)
  useCommands(
    pages.map(({ path, label, icon }) => ({
      label,
      group: text.title,
      icon,
      run: () => navigate(`/${path}`),
    })),
  )
  const offers = (path: string) => pages.some((page) => page.path === path)
  return (
    <>
      <AreaNavigation>
        <AreaLinks label={text.title} links={pages} />
      </AreaNavigation>
      <Switch>
        <Route path="/" component={Overview} />
        {offers('events') && <Route path="/events/:id?">{({ id }) => <Events id={id} />}</Route>}
        {offers('webhooks') && <Route path="/webhooks" component={Endpoints} />}
        {offers('webhooks') && (
          <Route path="/webhooks/:id">
            {({ id }) => <Endpoint key={id} id={id} deliveryId={undefined} />}
          </Route>
        )}
        {offers('webhooks') && (
          <Route path="/webhooks/:id/deliveries/:delivery">
            {({ id, delivery }) => <Endpoint key={id} id={id} deliveryId={delivery} />}
          </Route>
        )}
        {offers('keys') && <Route path="/keys/:tab?">{({ tab }) => <Keys tab={tab} />}</Route>}
        {offers('audit') && <Route path="/audit/:id?">{({ id }) => <AuditLog id={id} />}</Route>}
        <Route path="/clock" component={TestClock} />
        <Route>
          <Empty icon="search" title={text.notFound} />
        </Route>
      </Switch>
    </>
  )
}
