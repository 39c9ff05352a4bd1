import type { EventType } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

export function useEventTypes() {
  const { backline } = useEnvironment()
  return useAll(['event_types'], () => backline.eventTypes.list({ limit: 100 }))
}

/** Types by the resource that they begin with, in alphabetical order. */
export function groupsOf(types: EventType[]): [group: string, types: EventType[]][] {
  const groups = new Map<string, EventType[]>()
  for (const type of types) {
    const [group = ''] = type.type.split('.')
    groups.set(group, [...(groups.get(group) ?? []), type])
  }
  return [...groups]
}

/** True if a choice such as `*`, `conversation.*` or `message.created` covers the type. */
export const covers = (chosen: readonly string[], type: string): boolean =>
  chosen.includes('*') || chosen.includes(type) || chosen.includes(`${type.split('.')[0]}.*`)
