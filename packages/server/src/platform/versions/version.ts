import type { Resource } from '../resource/resource.ts'
import type { TObject } from '../resource/schema.ts'
import type { Wire } from '../resource/wire.ts'
import type { FieldChange, VersionChange } from './changes.ts'
import { changesOf, showEvent, wireIn } from './forms.ts'
import { routeIn } from './routes.ts'

/** The resources of the newer version. @throws Error for a change that changes nothing */
export function versionOf(resources: Resource[], changes: VersionChange[]): Resource[] {
  const objects = fieldChangesOf(changes)
  requireTargets(resources, changes)
  const wires = new Map<Wire<never>, Wire<never>>()
  const show = (wire: Wire<never>) => {
    const known = wires.get(wire) ?? wireIn(wire, objects)
    wires.set(wire, known)
    return known
  }
  const removed = new Set(changes.flatMap((each) => (each.kind === 'remove' ? [each.route] : [])))
  return resources.map((resource) => {
    const added = changes.flatMap((each) =>
      each.kind === 'add' && each.resource === resource.name ? each.routes : [],
    )
    const routes = [...resource.routes.filter(({ name }) => !removed.has(name)), ...added]
    return { ...resource, routes: routes.map((route) => routeIn(route, objects, show)) }
  })
}

/** A stored event in the form of the newer version, for readers that name it. */
export const showEventIn = <Event extends Parameters<typeof showEvent>[0]>(
  changes: VersionChange[],
  event: Event,
): Event => showEvent(event, fieldChangesOf(changes))

const fieldChangesOf = (changes: VersionChange[]): FieldChange[] =>
  changes.filter((each) => each.kind === 'field')

function requireTargets(resources: Resource[], changes: VersionChange[]): void {
  const routes = resources.flatMap((each) => each.routes)
  const newer = fieldChangesOf(changes).flatMap(({ into }) => Object.keys(into))
  const hasField = (reply: Wire<never>, { older }: FieldChange) =>
    [...Object.keys((reply.schema as TObject).properties ?? {}), ...newer].includes(older)
  for (const change of changes) {
    const isFound =
      change.kind === 'add'
        ? resources.some(({ name }) => name === change.resource)
        : change.kind === 'remove'
          ? routes.some(({ name }) => name === change.route)
          : routes.some(
              ({ reply }) => reply && changesOf(reply, [change]).length > 0 && hasField(reply, change),
            )
    if (!isFound) throw new Error(`A version changes what does not exist: ${JSON.stringify(change)}`)
  }
}
