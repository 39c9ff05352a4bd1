import type { View } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { type BuiltInView, builtInViews } from './built-in.ts'

export type ChosenView = { builtIn: BuiltInView; saved: null } | { builtIn: null; saved: View }

/** The saved views of conversations that this operator sees. */
export function useSavedViews() {
  const { backline, operator, can } = useEnvironment()
  return useAll(['views', 'conversation', operator.id], () =>
    can('views:read')
      ? backline.views.list({ applies_to: 'conversation', operator_id: operator.id, limit: 100 })
      : nothing(),
  )
}

async function* nothing(): AsyncGenerator<View> {}

/** The view of a name in the address: null if there is none, undefined while it is not known, or cannot be. */
export function useView(name: string) {
  const { data, error, refetch } = useSavedViews()
  return { view: chosenOf(name, data), error, refetch }
}

function chosenOf(name: string, saved: View[] | undefined): ChosenView | null | undefined {
  const builtIn = builtInViews.find((each) => each.name === name)
  if (builtIn) return { builtIn, saved: null }
  if (!saved) return undefined
  const view = saved.find(({ id }) => id === name)
  return view ? { builtIn: null, saved: view } : null
}
