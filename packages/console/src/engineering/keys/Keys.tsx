import { useLocation } from 'wouter'
import { type Scope, useEnvironment } from '../../data/environment.tsx'
import { Page } from '../../design/Page.tsx'
import { type Tab, Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { IdentityKeys } from './IdentityKeys.tsx'
import { Sessions } from './Sessions.tsx'
import { texts } from './texts.ts'

const tabs = ['api', 'identity', 'sessions'] as const

/** Everything that lets somebody in. */
export function Keys({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [, navigate] = useLocation()
  const all: (Tab<(typeof tabs)[number]> & { scope: Scope })[] = [
    { name: 'api', label: text.apiKeys, content: <ApiKeys />, scope: 'api_keys:read' },
    {
      name: 'identity',
      label: text.identityKeys,
      content: <IdentityKeys />,
      scope: 'identity_keys:read',
    },
    { name: 'sessions', label: text.sessions, content: <Sessions />, scope: 'operators:read' },
  ]
  return (
    <Page title={text.title}>
      <Tabs
        tabs={all.filter(({ scope }) => can(scope))}
        chosen={tabs.find((each) => each === id) ?? 'api'}
        onSelect={(name) => navigate(name === 'api' ? '/keys' : `/keys/${name}`)}
      />
    </Page>
  )
}
