import type { Entities, Reaction } from '../unit-of-work/entity.ts'
import type { Resource, Subscription } from './resource.ts'

/** The entities and reactions of all resources. Reactions of a row's own resource come first. */
export function entitiesOf(resources: Pick<Resource, 'entities' | 'reactions'>[]): Entities {
  const entities = new Map(resources.flatMap((each) => each.entities ?? []).map((each) => [each.type, each]))
  const isOwn = ({ entities }: Pick<Resource, 'entities'>, { to }: Subscription) =>
    entities?.includes(to) ?? false
  const all = resources.flatMap((each) =>
    (each.reactions ?? []).map((one) => ({ ...one, own: isOwn(each, one) })),
  )
  const subscriptions = [...all.filter(({ own }) => own), ...all.filter(({ own }) => !own)]
  const reactions = Map.groupBy(subscriptions, ({ to }) => to.type)
  const none: Reaction[] = []
  const byType = new Map([...reactions].map(([type, all]) => [type, all.map(({ react }) => react)]))
  return {
    of: (type) => entities.get(type),
    reactionsTo: (type) => byType.get(type) ?? none,
  }
}
