import { Fragment } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import styles from '../app/AreaLinks.module.css'
import { AreaNavigation } from '../app/AreaNavigation.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { Icon, type IconName } from '../design/Icon.tsx'
import { EmptyState } from '../design/States.tsx'
import { useTitle } from '../design/title.ts'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { type Area, type Entry, type ItemProps, isOffered } from './pages.tsx'
import { texts } from './texts.ts'

/** The page of an area that the address names, and the links to all of them. */
export function AreaPages({ area: { path: area, pages, Frame = Fragment } }: { area: Area }) {
  const labels = useTexts(pageTexts)
  const environment = useEnvironment()
  const [address] = useLocation()
  const offered = pages.filter((page) => isOffered(page, environment))
  return (
    <Frame>
      <AreaNavigation>
        <ul className={styles.links} aria-label={labels[area]}>
          {offered.map(({ path, icon, heading }) => (
            <li key={path}>
              {heading && <h2 className={styles.heading}>{labels[heading]}</h2>}
              <Link
                href={`/${path}`}
                className={styles.link}
                aria-current={address.split('/')[1] === path ? 'page' : undefined}
              >
                <Icon name={icon} /> {labels[path]}
              </Link>
            </li>
          ))}
        </ul>
      </AreaNavigation>
      <Switch>
        {offered.flatMap(({ path, Page, items = {} }) => [
          // One key for all: what is the same in two of them stays on the page.
          ...Object.entries(items).map(([pattern, Item]) => (
            <Route<ItemProps> key={path} path={`/${path}${pattern}`}>
              {({ id, delivery }) => <Item key={id} id={id} delivery={delivery} />}
            </Route>
          )),
          <Route key={path} path={`/${path}/:id?`}>
            {({ id }) => <Page id={id} />}
          </Route>,
        ])}
        {pages.map((page) => (
          <Route key={page.path} path={`/${page.path}/*?`}>
            <NotOffered {...page} />
          </Route>
        ))}
        <Route path="/">
          <Redirect to={`/${offered[0]?.path}`} replace />
        </Route>
        <Route component={NotFound} />
      </Switch>
    </Frame>
  )
}

/** Says why a page of the table is not there. */
export function NotOffered({ only }: Entry) {
  const text = useTexts(texts)
  const { name } = useEnvironment()
  const isElsewhere = only !== undefined && only !== name
  return <InPlace icon="shield" title={isElsewhere ? text.onlyIn(text[only]) : text.notAllowed} />
}

/** In place of a page that does not exist. */
export const NotFound = () => <InPlace icon="search" title={useTexts(texts).notFound} />

function InPlace(props: { icon: IconName; title: string }) {
  useTitle('page', props.title)
  return <EmptyState {...props} />
}
