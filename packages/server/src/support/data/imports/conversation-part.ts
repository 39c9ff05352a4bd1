import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { newUuid, typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import type { EventToInsert } from '../../../platform/unit-of-work/events.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { attach, attachmentsOf } from '../../desk/messages/attachments/attach.ts'
import { textOf } from '../../desk/messages/html.ts'
import { type Message, messageTable } from '../../desk/messages/queries.ts'
import { claimExternalIds } from '../../desk/messages/scheduled/queries.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { type FetchedFiles, filesOf, type Wanted } from './attaching.ts'
import type { Unit } from './bucket.ts'
import { type Checked, checkedConversation, checkedMessage, type Slice } from './conversation-lines.ts'
import { type FoundReferences, findReferences, referencesOf } from './conversation-references.ts'
import { newRow, withMessage } from './conversation-rows.ts'
import { type ConversationLine, instantOf, type MessageLine } from './conversation-schema.ts'
import { patchedRow } from './conversation-update.ts'
import { importedEvent, rewriteConversation, writeConversation } from './conversation-writing.ts'
import { rewriteMessage } from './message-update.ts'
import { map, mapAs, operatorsOf } from './people.ts'
import { type Known, unknown } from './queries.ts'
import { type CheckedSlice, type Stored, storedOf } from './stored.ts'
import { noSuch } from './validating.ts'
import {
  failedLine,
  failuresIn,
  type LineResult,
  type LinesDone,
  markImported,
  succeeded,
  type Work,
} from './work.ts'

/** Checks the lines of a slice. Those of the conversation belong to its first one. */
export async function checkedSlice(work: Work, slice: Slice): Promise<CheckedSlice> {
  const { unit, from, to } = slice
  const conversations: CheckedSlice['conversations'] = []
  const messages: CheckedSlice['messages'] = []
  // In a dry run the conversation was not made by the first slice: its lines are needed once more.
  if (from === 0 || work.isDry)
    for (const line of unit.conversations) conversations.push(await checkedConversation(work, line))
  for (const line of unit.messages.slice(from, to)) messages.push(await checkedMessage(work, line))
  return { ...slice, conversations, messages }
}

/**
 * Imports lines of conversations as one change. If messages want files that are not fetched yet, nothing is written:
 * the lines are imported again with these files.
 */
export async function conversationPart(
  work: Work,
  slices: CheckedSlice[],
  fetched: FetchedFiles,
): Promise<LinesDone & { wanted: Wanted[] }> {
  const draft = new Draft(work.ctx)
  const mark = work.resolver.mark()
  try {
    const { change } = draft
    const stored = await storedOf(change, work, slices)
    const owners = [...stored.rows.values()].flatMap(({ end_user }) => end_user.id ?? [])
    const found = await findReferences(change, work, ...namedIn(slices), owners)
    const part = new Part(change, work, stored, found, fetched)
    for (const slice of slices) await part.add(slice)
    const { results, events, wanted } = part
    if (wanted.length > 0) {
      draft.releaseLocks()
      work.resolver.resetTo(mark)
      return { changes: [], results: [], failed: 0, wanted }
    }
    const failed = failuresIn(results)
    if (work.isDry) {
      draft.releaseLocks()
      return { changes: [], results, failed, wanted }
    }
    // Nobody of them may be erased meanwhile. Each conversation that is written has an event.
    if (events.length > 0) for (const row of found.endUsers.values()) change.rows.guard(endUsers, row)
    const plan = await draft.plan(null)
    plan.events.push(...events)
    return { changes: [{ draft, plan: markImported(plan) }], results, failed, wanted }
  } catch (error) {
    draft.releaseLocks()
    throw error
  }
}

/**
 * Creates the operators of slices of whom only the external ids are known, as a change of its own: the counters of an
 * operator are those of a row that exists. Null if all are known.
 */
export async function operatorsPart(work: Work, slices: CheckedSlice[]): Promise<LinesDone | null> {
  const [conversations, authors] = namedIn(slices)
  const named = [
    ...authors.operators,
    ...conversations.flatMap(({ line }) => line.assignee_external_id ?? []),
  ]
  const draft = new Draft(work.ctx)
  try {
    await operatorsOf(draft.change, work, named)
    const plan = markImported(await draft.plan(null))
    if (plan.events.length > 0) return { changes: [{ draft, plan }], results: [], failed: 0 }
  } catch (error) {
    draft.releaseLocks()
    throw error
  }
  draft.releaseLocks()
  return null
}

/** The valid lines of slices that refer to others. */
function namedIn(
  slices: CheckedSlice[],
): [Checked<ConversationLine>[], { endUsers: string[]; operators: string[] }] {
  const valid = <Line>({ faults }: Checked<Line>) => faults.length === 0
  const conversations = slices.flatMap((slice) => slice.conversations.filter(valid))
  const messages = slices.flatMap((slice) => slice.messages.filter(valid))
  return [
    conversations,
    {
      endUsers: messages.flatMap(({ line }) => line.author_end_user_external_id ?? []),
      operators: messages.flatMap(({ line }) => line.operator_external_id ?? []),
    },
  ]
}

/** Collects the writes and results of slices. */
class Part {
  readonly results: LineResult[] = []
  readonly events: EventToInsert[] = []
  readonly wanted: Wanted[] = []
  readonly #change: Change
  readonly #work: Work
  readonly #stored: Stored
  readonly #found: FoundReferences
  readonly #fetched: FetchedFiles
  /** Messages of this part by external ids: a line that repeats one stands for the first. */
  readonly #made = new Map<string, Message>()
  readonly #used = new Set<string>()

  constructor(change: Change, work: Work, stored: Stored, found: FoundReferences, fetched: FetchedFiles) {
    this.#change = change
    this.#work = work
    this.#stored = stored
    this.#found = found
    this.#fetched = fetched
  }

  async add(slice: CheckedSlice): Promise<void> {
    const before = this.#storedRow(slice.unit)
    if (before && this.#isErased(before)) return this.#refuseErased(slice)
    const begun = await this.#conversation(slice, before)
    const after = begun === null ? null : await this.#messages(slice, begun)
    if (after === null) return this.#refuseMessages(slice)
    this.#write(slice, before, after)
  }

  #storedRow({ externalId }: Unit): Conversation | null {
    const { id } = this.#stored.conversations.get(externalId) ?? unknown
    return id === null ? null : (this.#stored.rows.get(id) ?? null)
  }

  /** The end users were read after the conversations: one of them may have been erased in between. */
  #isErased({ end_user: { id, is_erased } }: Conversation): boolean {
    return is_erased || (id !== null && !this.#found.endUsers.has(id))
  }

  /** The conversation before its messages; null if there is none. Its lines get their results. */
  async #conversation(
    { unit, conversations, from }: CheckedSlice,
    before: Conversation | null,
  ): Promise<Conversation | null> {
    const { params, isDry } = this.#work
    const isNew = before === null
    let row = before
    for (const checked of conversations) {
      const { number, line, faults } = checked
      if (faults.length === 0 && (row === null || params.on_conflict === 'update')) {
        const references = await referencesOf(
          this.#change,
          this.#work,
          checked,
          this.#found,
          row?.custom_fields ?? [],
        )
        if (faults.length === 0) {
          const { isTaken } = this.#stored.conversations.get(unit.externalId) ?? unknown
          const all = { ...references, externalId: isTaken ? null : unit.externalId }
          row = row === null ? newRow(line, all) : patchedRow(row, line, all)
        }
      }
      if (from > 0) continue // its results were those of the first slice
      // Links between conversations come last, and the results of their lines with them.
      const hasLinks = line.follow_up_of_external_id != null || line.merged_into_external_id != null
      if (faults.length > 0) this.results.push(failedLine(number, faults))
      else if (!hasLinks) this.results.push(succeeded(number, isDry && isNew ? null : shownId(row)))
    }
    return row
  }

  /** Nothing that was erased comes back. */
  #refuseErased({ conversations, messages, from }: CheckedSlice): void {
    const refuse = (lines: { number: number; faults: ResultFault[] }[], pointer: string) => {
      const detail = 'must not name a person who was erased, or a conversation of one'
      for (const { number, faults } of lines)
        this.results.push(failedLine(number, [...faults, { pointer, code: 'not_allowed', detail }]))
    }
    if (from === 0) refuse(conversations, '/end_user_external_id')
    refuse(messages, '/conversation_external_id')
  }

  #refuseMessages({ messages }: CheckedSlice): void {
    const fault = noSuch('/conversation_external_id', 'conversation')
    for (const { number, faults } of messages) this.results.push(failedLine(number, [...faults, fault]))
  }

  /** The conversation with its messages. */
  async #messages({ messages }: CheckedSlice, begun: Conversation): Promise<Conversation> {
    let row = begun
    for (const checked of messages) row = await this.#message(checked, row)
    return row
  }

  async #message(checked: Checked<MessageLine>, row: Conversation): Promise<Conversation> {
    const { number, line, faults } = checked
    const { isDry } = this.#work
    if (faults.length > 0) {
      this.results.push(failedLine(number, faults))
      return row
    }
    const known = this.#stored.messages.get(line.external_id) ?? unknown
    const isThere = known.id !== null && (this.#stored.known.has(known.id) || !known.isMapped)
    const knownId = this.#made.get(line.external_id)?.id ?? (isThere ? known.id : null)
    if (knownId !== null) return this.#knownMessage(checked, knownId, known, row)
    const authors = this.#authors(line, row, faults)
    const inReplyTo = this.#repliedTo(line, row, faults)
    const { attached, missing, wanted } = await filesOf(this.#change, number, line, faults, {
      fetched: this.#fetched,
      isDry,
      used: this.#used,
    })
    if (faults.length > 0) {
      this.results.push(failedLine(number, faults))
      return row
    }
    this.wanted.push(...wanted)
    const created_at = instantOf(line.created_at)!
    const place = { id: newUuid(toUnixMs(created_at)), conversation_id: row.id }
    const text = {
      ...line,
      body: line.body ?? '',
      attachments: attachmentsOf(attached),
    }
    const edited_at = instantOf(line.edited_at)
    const message: Message = {
      ...place,
      ...(isDry ? { attachments: null, file_states: null } : attach(this.#change, place, attached)),
      ...(await textOf(this.#work.ctx, text)),
      ...authors,
      created_at,
      updated_at: edited_at ?? created_at,
      edited_at,
      version: 1,
      sequence: row.message_count + 1,
      author_side: line.author_side,
      visibility: line.visibility ?? 'public',
      template_id: null,
      in_reply_to_id: inReplyTo,
      mentions: null,
      external_id: known.isTaken ? null : line.external_id,
      email: null,
      delivery: null,
      metadata: line.metadata ?? {},
      redacted_at: null,
    }
    this.#writeMessage(line.external_id, message, known.isMapped)
    const errors = missing.length > 0 ? missing : null
    this.results.push(succeeded(number, isDry ? null : typeId('msg', message.id), errors))
    return withMessage(row, message)
  }

  #writeMessage(externalId: string, message: Message, isMapped: boolean): void {
    this.#made.set(externalId, message)
    const { effects } = this.#change
    effects.writeBatched(messageTable.insert, message)
    if (message.external_id !== null)
      effects.writeBatched(claimExternalIds, { external_id: message.external_id, message_id: message.id })
    mapAs(this.#change, this.#work, 'message', externalId, message.id, isMapped)
  }

  /** A message that exists is a success: it is left as it is, or gets the text of the line. */
  async #knownMessage(
    { number, line }: Checked<MessageLine>,
    id: string,
    known: Known,
    row: Conversation,
  ): Promise<Conversation> {
    this.results.push(succeeded(number, typeId('msg', id)))
    const isFirst = !this.#made.has(line.external_id)
    if (isFirst && !known.isMapped) map(this.#change, this.#work, 'message', line.external_id, id)
    if (!isFirst || this.#work.params.on_conflict !== 'update') return row
    const rewritten = await rewriteMessage(this.#change, this.#work.ctx, id, line)
    if (rewritten) this.#made.set(line.external_id, rewritten) // a line that repeats it changes nothing
    return rewritten ? { ...row, updated_at: this.#change.now } : row
  }

  #authors(
    { author_side, operator_external_id: operator, author_end_user_external_id: endUser }: MessageLine,
    row: Conversation,
    faults: ResultFault[],
  ): Pick<Message, 'operator_id' | 'author_end_user_id'> {
    if (author_side === 'operator')
      return {
        operator_id: operator == null ? null : this.#found.operators.get(operator)!,
        author_end_user_id: null,
      }
    if (author_side === 'system') return { operator_id: null, author_end_user_id: null }
    if (endUser == null) return { operator_id: null, author_end_user_id: row.end_user.id }
    const author = this.#found.people.get(endUser)
    if (!author)
      faults.push({
        pointer: '/author_end_user_external_id',
        code: 'not_allowed',
        detail: 'must not be an erased end user',
      })
    return { operator_id: null, author_end_user_id: author?.id ?? null }
  }

  /** The message that one replies to, earlier in the same conversation. */
  #repliedTo({ in_reply_to_external_id: externalId }: MessageLine, row: Conversation, faults: ResultFault[]) {
    if (externalId == null) return null
    const made = this.#made.get(externalId)
    const id = made?.id ?? this.#stored.messages.get(externalId)?.id ?? null
    const { conversation_id } = made ?? (id === null ? undefined : this.#stored.known.get(id)) ?? {}
    if (id !== null && conversation_id === row.id) return id
    if (this.#work.isDry && id === null) return null // it may be in an earlier slice
    const detail = 'must be the external id of an earlier message of the conversation'
    faults.push({ pointer: '/in_reply_to_external_id', code: 'not_found', detail })
    return null
  }

  #write({ unit, from }: CheckedSlice, before: Conversation | null, after: Conversation): void {
    if (this.#work.isDry) return
    const { isMapped } = this.#stored.conversations.get(unit.externalId) ?? unknown
    if (before === null || !isMapped)
      mapAs(this.#change, this.#work, 'conversation', unit.externalId, after.id, isMapped)
    if (before === null) {
      const row = { ...after, updated_at: lastChange(unit, after) }
      writeConversation(this.#change, row)
      this.events.push(importedEvent(this.#change, null, row))
    } else if (after !== before) {
      this.#change.startAfter(before)
      const { now } = this.#change
      // The first slice has made it just now: its last change is that of the source.
      const updated_at = from > 0 ? lastChange(unit, after) : now
      const row = { ...after, updated_at, version: before.version + 1 }
      rewriteConversation(this.#change, before, row)
      this.events.push(importedEvent(this.#change, before, row))
    }
  }
}

/** The time of the last change in the source: the last message, unless the line tells it. */
function lastChange({ conversations }: Unit, { updated_at, last_message_at: last }: Conversation): Instant {
  const isTold = conversations.some(({ object }) => object.updated_at != null)
  return isTold || last === null || last < updated_at ? updated_at : last
}

const shownId = (row: Conversation | null): string | null => (row === null ? null : typeId('conv', row.id))
