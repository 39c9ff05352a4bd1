import { Route, Switch } from 'wouter'
import { CompanyList } from './company/CompanyList.tsx'
import { CompanyPage } from './company/CompanyPage.tsx'
import { usePeopleEvents } from './shared/events.ts'

/** Companies: the list of all of them, and the page of each. */
export function Companies() {
  usePeopleEvents()
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <CompanyPage key={id} id={id} />}</Route>
      <Route>
        <CompanyList />
      </Route>
    </Switch>
  )
}
