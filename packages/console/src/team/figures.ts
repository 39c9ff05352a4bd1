import type { FilterTree, ViewCountGroup } from '@backline/sdk'
import { type CountsQuery, useCounts } from '../data/counts.ts'
import { useNow } from '../data/now.ts'

type Conditions = readonly FilterTree[]
type Grouping = NonNullable<CountsQuery['group_by']>

const unanswered: FilterTree = { field: 'status', op: 'in', value: ['new', 'open'] }

/** The conversations that `open_conversations` of an operator counts. */
export const open: Conditions = [{ field: 'status', op: 'in', value: ['new', 'open', 'pending'] }]
export const waiting: Conditions = [unanswered, { field: 'waiting_on', op: 'is', value: 'operator' }]
export const unassigned: Conditions = [unanswered, { field: 'assignee_id', op: 'exists', value: false }]
const breachedSince = (time: string): Conditions => [{ field: 'sla.breached_at', op: 'gte', value: time }]

/** The conversations of an operator or department; of those without one for null. */
export const of = (by: Grouping, id: string | null): FilterTree =>
  id === null ? { field: by, op: 'exists', value: false } : { field: by, op: 'is', value: id }

/** The seconds since a time; whole minutes from one minute on. */
export function minutesSince(time: string, nowMs: number): number {
  const seconds = Math.max(0, nowMs - Date.parse(time)) / 1_000
  return seconds < 60 ? seconds : seconds - (seconds % 60)
}

function startOfDay(nowMs: number): string {
  const date = new Date(nowMs)
  date.setHours(0, 0, 0, 0)
  return date.toISOString()
}

/** Conversations that were late today, by the time zone of the reader and the clock of the environment. */
export const useBreachedToday = (): Conditions => breachedSince(startOfDay(useNow()))

/** The numbers of conversations by operators or departments. */
export function useFigures(by: Grouping, filters: Record<string, Conditions>) {
  const trees = Object.fromEntries(Object.entries(filters).map(([name, all]) => [name, { all }]))
  const { data, isError } = useCounts([by, trees], { filters: trees, group_by: by }, true)
  return {
    isError,
    /** Undefined while it is not known. */
    of(name: string, id: string | null): Pick<ViewCountGroup, 'count' | 'waiting_since'> | undefined {
      const groups = data?.[name]?.groups
      return groups ? (groups.find((each) => each.id === id) ?? { count: 0, waiting_since: null }) : undefined
    },
  }
}
