import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Page } from '../../design/Page.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { IdentityKeys } from './IdentityKeys.tsx'
import { Sessions } from './Sessions.tsx'
import { texts } from './texts.ts'

const tabs = ['api', 'identity', 'sessions'] as const

/** Everything that lets somebody in. */
export function Keys({ tab }: { tab: string | undefined }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [, navigate] = useLocation()
  const all = [
    { name: 'api' as const, label: text.apiKeys, content: <ApiKeys />, scope: 'api_keys:read' },
    {
      name: 'identity' as const,
      label: text.identityKeys,
      content: <IdentityKeys />,
      scope: 'identity_keys:read',
    },
    { name: 'sessions' as const, label: text.sessions, content: <Sessions />, scope: 'operators:read' },
  ]
  return (
    <Page title={text.title}>
      <Tabs
        tabs={all.filter(({ scope }) => can(scope))}
        chosen={tabs.find((each) => each === tab) ?? 'api'}
        onChoose={(name) => navigate(name === 'api' ? '/keys' : `/keys/${name}`)}
      />
    </Page>
  )
}
