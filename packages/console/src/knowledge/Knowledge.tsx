import { Redirect, Route, Switch } from 'wouter'
import { AreaLinks } from '../app/AreaLinks.tsx'
import { AreaNavigation } from '../app/AreaNavigation.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { Empty } from '../design/States.tsx'
import { useTexts } from '../texts/language.tsx'
import { ArticlesPage } from './articles/ArticlesPage.tsx'
import { EditorPage } from './editor/EditorPage.tsx'
import { FaqPage } from './faqs/FaqPage.tsx'
import { FaqsPage } from './faqs/FaqsPage.tsx'
import { HelpfulPage } from './helpful/HelpfulPage.tsx'
import { SearchesPage } from './searches/SearchesPage.tsx'
import { useLiveKnowledge } from './shared/live.ts'
import { texts } from './texts.ts'
import { VersionsPage } from './versions/VersionsPage.tsx'

export function Knowledge() {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  useLiveKnowledge()
  return (
    <>
      <AreaNavigation>
        <AreaLinks
          label={text.knowledge}
          links={[
            { path: 'articles', label: text.articles, icon: 'book' },
            ...(can('faqs:read') ? [{ path: 'faqs', label: text.faqs, icon: 'note' } as const] : []),
            { path: 'helpful', label: text.votes, icon: 'star' },
            { path: 'searches', label: text.searches, icon: 'search' },
          ]}
        />
      </AreaNavigation>
      <Switch>
        <Route path="/articles" component={ArticlesPage} />
        <Route path="/articles/:id/versions">{({ id }) => <VersionsPage key={id} id={id} />}</Route>
        <Route path="/articles/:id">{({ id }) => <EditorPage key={id} id={id} />}</Route>
        <Route path="/faqs" component={FaqsPage} />
        <Route path="/faqs/:id">{({ id }) => <FaqPage key={id} id={id} />}</Route>
        <Route path="/helpful" component={HelpfulPage} />
        <Route path="/searches" component={SearchesPage} />
        <Route path="/">
          <Redirect to="/articles" replace />
        </Route>
        <Route>
          <Empty icon="search" title={text.notFound} />
        </Route>
      </Switch>
    </>
  )
}
