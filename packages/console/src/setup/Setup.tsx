import { Redirect, Route, Switch } from 'wouter'
import { AreaLinks } from '../app/AreaLinks.tsx'
import { AreaNavigation } from '../app/AreaNavigation.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { Empty } from '../design/States.tsx'
import { useTexts } from '../texts/language.tsx'
import { pages } from './pages.ts'
import { texts } from './texts.ts'

/** The configuration of the desk, one page a resource. */
export function Setup() {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const offered = pages.filter(({ scope }) => can(scope))
  return (
    <>
      <AreaNavigation>
        <AreaLinks
          label={text.setup}
          links={offered.map(({ path, icon }) => ({ path, icon, label: text[path] as string }))}
        />
      </AreaNavigation>
      <Switch>
        {offered.map(({ path, Page }) => (
          <Route key={path} path={`/${path}/:id?`} component={Page} />
        ))}
        <Route path="/">
          <Redirect to={`/${offered[0]?.path}`} replace />
        </Route>
        <Route>
          <Empty icon="search" title={text.notFound} />
        </Route>
      </Switch>
    </>
  )
}
