import type { Fact } from './facts.ts'

/** An open stream, as the hub sees it. */
export type PersonStream = {
  person: StreamingPerson
  readonly sessionId: string
  /** @param json the object of the fact */
  onFact(fact: Fact, json: string): void
  /** @param data the JSON of the event */
  onTyping(conversationId: string, data: string): void
  /** The journal cannot be read any more. */
  end(): void
}

/** A person with open streams. After a merge, all ids of both are one person's. */
export type StreamingPerson = { ids: Set<string>; streams: Set<PersonStream> }

/** The persons with open streams, by each of their ids. */
export class StreamingPeople {
  readonly #byId = new Map<string, StreamingPerson>()

  /** The person with this id, created if there is none. */
  of(id: string): StreamingPerson {
    const known = this.#byId.get(id)
    if (known) return known
    const person = { ids: new Set([id]), streams: new Set<PersonStream>() }
    this.#byId.set(id, person)
    return person
  }

  find(id: string): StreamingPerson | undefined {
    return this.#byId.get(id)
  }

  /** The distinct persons with these ids. */
  among(ids: Iterable<string>): Set<StreamingPerson> {
    const found = new Set<StreamingPerson>()
    for (const id of ids) {
      const person = this.#byId.get(id)
      if (person) found.add(person)
    }
    return found
  }

  /** Records that ids are one person's, and unites the persons that had them. */
  unite(person: StreamingPerson, ids: string[]): void {
    if (person.streams.size === 0) return // all of them have left meanwhile
    for (const other of this.among(ids)) {
      if (other === person) continue
      for (const stream of other.streams) {
        stream.person = person
        person.streams.add(stream)
      }
      for (const id of other.ids) person.ids.add(id)
    }
    for (const id of ids) person.ids.add(id)
    for (const id of person.ids) this.#byId.set(id, person)
  }

  leave(stream: PersonStream): void {
    const { person } = stream
    person.streams.delete(stream)
    if (person.streams.size > 0) return
    for (const id of person.ids) if (this.#byId.get(id) === person) this.#byId.delete(id)
  }

  *streams(): Iterable<PersonStream> {
    for (const person of new Set(this.#byId.values())) yield* person.streams
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }
}
