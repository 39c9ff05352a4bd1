import { Link, useSearch } from 'wouter'
import links from '../../app/AreaLinks.module.css'
import { AreaNavigation } from '../../app/AreaNavigation.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { Icon } from '../../design/Icon.tsx'
import { Truncated } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

/** The saved views of end users that this operator sees. */
function useSavedViews() {
  const { backline, operator, can } = useEnvironment()
  return useAll(['views', 'end_user', operator.id], async function* () {
    if (can('views:read'))
      yield* backline.views.list({ applies_to: 'end_user', operator_id: operator.id, limit: 100 })
  })
}

/** The saved view of an id in the address; null if there is none. */
export const useSavedView = (id: string) => useSavedViews().data?.find((view) => view.id === id) ?? null

/** Links to the saved views, in the navigation of the area. */
export function SavedViews() {
  const text = useTexts(texts)
  const { data: views = [] } = useSavedViews()
  const chosen = new URLSearchParams(useSearch()).get('view')
  if (views.length === 0) return null
  return (
    <AreaNavigation>
      <h2 className={links.heading}>{text.views}</h2>
      <ul className={links.links} aria-label={text.views}>
        {views.map(({ id, name }) => (
          <li key={id}>
            <Link
              href={`/?view=${id}`}
              className={links.link}
              title={name}
              aria-current={id === chosen ? 'page' : undefined}
            >
              <Icon name="view" /> <Truncated>{name}</Truncated>
            </Link>
          </li>
        ))}
      </ul>
    </AreaNavigation>
  )
}
