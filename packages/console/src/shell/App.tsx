import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { CommandsProvider } from '../app/commands.tsx'
import { lazyComponent } from '../app/lazy.tsx'
import { EnvironmentProvider } from '../data/environment.tsx'
import { sessionQuery, useSession } from '../data/session.ts'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'
import { ErrorState, Loading } from '../design/States.tsx'
import { Toasts } from '../design/Toast.tsx'
import { Tooltips } from '../design/Tooltip.tsx'
import { OutboxProvider } from '../inbox/model/outbox.tsx'
import { LanguageProvider } from '../texts/language.tsx'
import { ClosedEnvironment } from './ClosedEnvironment.tsx'
import { areaAt } from './pages.tsx'
import { Shell } from './Shell.tsx'
import { ThemeProvider } from './theme.tsx'
import { useEnvironmentName } from './use-environment-name.ts'

const base = new URL(document.baseURI).pathname.replace(/\/$/, '')
const sessions = new QueryClient()
const SignIn = lazyComponent(async () => (await import('../sign-in/SignIn.tsx')).SignIn, <Loading />)

// Both begin before the first frame. The code of the page does not wait for the session.
void sessions.prefetchQuery(sessionQuery)
void areaAt(location.pathname.slice(base.length)).load()

export const App = () => (
  <CSPProvider disableStyleElements>
    <LanguageProvider>
      <ThemeProvider>
        <Toasts>
          <QueryClientProvider client={sessions}>
            <Router base={base}>
              <ErrorBoundary>
                <SignedIn />
              </ErrorBoundary>
            </Router>
          </QueryClientProvider>
        </Toasts>
        <Tooltips />
      </ThemeProvider>
    </LanguageProvider>
  </CSPProvider>
)

function SignedIn() {
  const session = useSession()
  const { name, isClosed } = useEnvironmentName(session.data ?? null)
  if (session.isPending) return <Loading />
  // The page stays while the server cannot say who has signed in: it is asked again every minute.
  if (session.data === undefined)
    return <ErrorState error={session.error} onRetry={() => void session.refetch()} />
  if (!session.data || !name) return <SignIn />
  if (isClosed) return <ClosedEnvironment open={name} />
  const membership = session.data.environments[name]!
  return (
    <EnvironmentProvider
      key={membership.session_id}
      name={name}
      session={session.data}
      membership={membership}
    >
      <OutboxProvider>
        <CommandsProvider>
          <Shell />
        </CommandsProvider>
      </OutboxProvider>
    </EnvironmentProvider>
  )
}
