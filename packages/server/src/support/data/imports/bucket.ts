import { setImmediate as rest } from 'node:timers/promises'
import { parseInstant } from '../../../platform/kernel/clock.ts'
import { conversationOf, type Record, recordsOf } from './spool.ts'

/** A line as an object; its members are not checked yet. */
export type RawLine = { number: number; object: { [member: string]: unknown } }

/** All lines of one conversation; the messages in the order of their times, and then of the file. */
export type Unit = {
  externalId: string
  /** Empty if the conversation is expected to exist; further ones repeat the external id. */
  conversations: RawLine[]
  messages: RawLine[]
}

/** The conversations of a bucket, in the order of their first lines. */
export async function unitsOf(path: string): Promise<Unit[]> {
  const units = new Map<string, Unit>()
  for await (const records of recordsOf(path)) {
    for (const record of records) addTo(units, record)
    await rest() // parsing keeps requests waiting
  }
  for (const unit of units.values()) {
    const keyed = unit.messages.map((line) => ({ line, at: timeOf(line) }))
    keyed.sort((one, other) =>
      one.at === other.at ? one.line.number - other.line.number : one.at < other.at ? -1 : 1,
    )
    unit.messages = keyed.map(({ line }) => line)
  }
  return [...units.values()]
}

function addTo(units: Map<string, Unit>, { number, text }: Record): void {
  const object = JSON.parse(text)
  const isMessage = object.type === 'message'
  const externalId = conversationOf(object)
  let unit = units.get(externalId)
  if (!unit) {
    unit = { externalId, conversations: [], messages: [] }
    units.set(externalId, unit)
  }
  ;(isMessage ? unit.messages : unit.conversations).push({ number, object })
}

/** Lines without a valid time come first; they are faults. */
const timeOf = ({ object: { created_at } }: RawLine): string =>
  typeof created_at === 'string' ? (parseInstant(created_at) ?? '') : ''
