import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { MessageEmail } from '../../desk/messages/email/queries.ts'
import { type Erasure, emptyStreams } from '../../integration/erasing/streams.ts'
import type { ApiObject } from '../../integration/erasing/texts.ts'
import { withoutPeople } from './mails.ts'
import { nextConversations, nextSessions, ownAmong, publishableKeys, writtenAmong } from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/** The streams whose events are looked through next. */
const streamsAtOnce = 20

/** Empties the events of the conversations of a person, and of those in which the person takes part. */
export async function emptyConversationEvents(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  if (state.walk.streams.length > 0) return emptyNext(change, state, ids)
  const parts = await nextConversations(change.db, change.tenantId, ids, state.after, streamsAtOnce)
  const last = parts.at(-1)
  if (!last) return nextStep(state)
  const walk = { streams: parts.map(({ id }) => id), after: null }
  return emptyNext(change, { ...state, after: last.id, walk }, ids)
}

/** Empties the events of the person, of the files that are gone, and of jobs that name the person. */
export async function emptyRecords(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  if (state.after !== null && state.walk.streams.length === 0) return nextStep(state)
  const begun = {
    ...state,
    after: state.end_user_id,
    walk: { streams: [...ids, ...state.files, ...state.jobs], after: null },
  }
  return emptyNext(change, state.after === null ? begun : state, ids, await pagesOf(change))
}

/** Empties the events of the sessions of a person, which have the addresses of the person. */
export async function emptySessionEvents(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  const pages = await pagesOf(change)
  if (state.walk.streams.length > 0) return emptyNext(change, state, ids, pages)
  const streams = await nextSessions(change.db, change.tenantId, ids, state.after, streamsAtOnce)
  const last = streams.at(-1)
  if (last === undefined) return nextStep(state)
  return emptyNext(change, { ...state, after: last, walk: { streams, after: null } }, ids, pages)
}

/** The actors that stand for a page without a session. */
const pagesOf = async ({ db, tenantId }: Change): Promise<ReadonlySet<string>> =>
  new Set((await publishableKeys(db, tenantId)).map((id) => typeId('key', id)))

async function emptyNext(
  change: Change,
  state: ErasureState,
  ids: string[],
  pages: ReadonlySet<string> = new Set(),
): Promise<ErasureState> {
  const own = await ownAmong(change.db, change.tenantId, ids, state.walk.streams)
  const { walk, emptied } = await emptyStreams(change, state.walk, erasureOf(state, ids, own, pages))
  return counting({ ...state, walk }, emptied)
}

/**
 * The data of a person in events and stored responses.
 * @param own the conversations of the person in the streams
 */
function erasureOf(
  { end_user_id, files, jobs }: ErasureState,
  ids: string[],
  own: ReadonlySet<string>,
  pages: ReadonlySet<string>,
): Erasure {
  const people = new Set(ids.map((id) => typeId('eu', id)))
  const conversations = new Set([...own].map((id) => typeId('conv', id)))
  const personal = new Set([...ids, ...files, ...jobs])
  const fileIds = new Set(files.map((id) => typeId('file', id)))
  const jobIds = new Set(jobs.map((id) => typeId('job', id)))
  const isOwn = (id: unknown) => conversations.has(id as string)
  const withoutAddress = (participant: ApiObject) =>
    people.has(participant.end_user_id as string) ? { ...participant, address: null } : participant
  /** The messages of the person that the events at hand are about. End users see theirs without an author. */
  const messagesMeant = new Set<string>()
  const isMeant = (object: ApiObject): boolean => {
    switch (object.object) {
      case 'end_user':
        return people.has(object.id as string)
      case 'end_user_merge':
        return people.has((object.end_user as ApiObject).id as string)
      case 'conversation':
        return people.has(object.end_user_id as string) || isOwn(object.id)
      case 'message':
        return (
          messagesMeant.has(object.id as string) ||
          people.has(object.author_end_user_id as string) ||
          (object.author_side === 'end_user' &&
            object.author_end_user_id == null &&
            isOwn(object.conversation_id))
        )
      case 'job':
        return jobIds.has(object.id as string)
      default:
        return object.object === 'file' && fileIds.has(object.id as string)
    }
  }
  return {
    by: end_user_id,
    async about(change, events) {
      const messages = events.filter(({ resource_type }) => resource_type === 'message')
      const messageIds = [...new Set(messages.map(({ resource_id }) => resource_id))]
      const written = await writtenAmong(change.db, change.tenantId, ids, messageIds)
      for (const id of written) messagesMeant.add(typeId('msg', id))
      return ({ resource_type, resource_id }) =>
        resource_type === 'message'
          ? written.has(resource_id)
          : resource_type === 'conversation'
            ? own.has(resource_id)
            : personal.has(resource_id)
    },
    isMeant,
    without(type, object) {
      if (type === 'conversation' && Array.isArray(object.participants))
        return { ...object, participants: object.participants.map(withoutAddress) }
      if (type !== 'message' || !isOwn(object.conversation_id)) return object
      const { email } = object
      return {
        ...object,
        ...(email ? { email: withoutPeople(email as MessageEmail) } : {}),
        ...('delivery' in object ? { delivery: null } : {}),
      }
    },
    // The person, or a page for the person.
    isSender: ({ actor_type, actor_id }) =>
      actor_id !== null && (actor_type === 'end_user' ? people.has(actor_id) : pages.has(actor_id)),
    erasesKeys: true,
  }
}
