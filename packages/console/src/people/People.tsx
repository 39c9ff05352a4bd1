import { Route, Switch } from 'wouter'
import { PeopleList } from './person/PeopleList.tsx'
import { PersonPage } from './person/PersonPage.tsx'
import { usePeopleEvents } from './shared/events.ts'

/** End users: the list of all of them, and the page of each. */
export function People() {
  usePeopleEvents()
  return (
    <Switch>
      <Route path="/:id">{({ id }) => <PersonPage key={id} id={id} />}</Route>
      <Route>
        <PeopleList />
      </Route>
    </Switch>
  )
}
