import { resourceTypeOf } from '../kernel/ids.ts'

/** An event type that a resource writes to the journal. */
export type EventType = {
  type: string
  description: string
  /** The object of the event at the time of the event. */
  example: Record<string, unknown>
  /** The resource of the event, if the object does not have its id and version. */
  resource?: { id: string; version: number }
  /** The members of the object that the event has; all by default. */
  members?: readonly string[]
  /** The earlier values of changed fields. */
  previous?: Record<string, unknown>
  /** Objects whose changed fields the event has as well, by the names of its members of `data`. */
  related?: Record<string, Record<string, unknown>>
}

/** An example of an event type. @param envelope an example of any event, which gives the other members */
export const exampleOfEvent = (
  envelope: object,
  { type, example, resource, members = Object.keys(example), previous = {}, related = {} }: EventType,
): Record<string, unknown> => ({
  ...envelope,
  type,
  resource: {
    type: resourceTypeOf(String(example.object)),
    id: example.id,
    version: example.version,
    ...resource,
  },
  data: { object: Object.fromEntries(members.map((name) => [name, example[name]])), previous, ...related },
})
