import type { EventType } from './resource.ts'

/** An example of an event type. @param envelope an example of any event, which gives the other members */
export const exampleOfEvent = (
  envelope: object,
  { type, example, members = Object.keys(example), previous = {}, related = {} }: EventType,
): Record<string, unknown> => ({
  ...envelope,
  type,
  resource: { type: example.object, id: example.id, version: example.version },
  data: { object: Object.fromEntries(members.map((name) => [name, example[name]])), previous, ...related },
})
