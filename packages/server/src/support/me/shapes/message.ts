import type { Instant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { publicUrl } from '../../../platform/kernel/public-url.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { Enum, Id, Int, Nullable, Shape, Text, Timestamp } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Attachment, FileStates } from '../../desk/messages/attachments/queries.ts'
import { Attachments, presentAttachments } from '../../desk/messages/attachments/schema.ts'
import { htmlOf } from '../../desk/messages/html.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { operatorTable } from '../../team/operators/queries.ts'
import { bodyFormats } from '../../vocabulary/conversations.ts'
import { findPerson, type Person } from '../people/queries.ts'

const authorSides = ['me', 'operator', 'system', 'participant'] as const

export const MeMessageSchema = Shape({
  id: Id('msg'),
  object: Enum(['message']),
  conversation_id: Id('conv', { description: 'The conversation of the message.' }),
  sequence: Int(1, 2147483647, {
    description: 'The position of the message in its conversation. There may be gaps.',
  }),
  author: Shape(
    {
      side: Enum(authorSides, {
        description:
          '`me` for the end user of the token; `participant` for another end user, who is the end user of the conversation or takes part in it; `operator`; `system` for automatic messages.',
      }),
      name: Nullable(Text(1, 255), { description: 'The name of the author; null if it is unknown.' }),
    },
    { description: 'The author of the message.' },
  ),
  body: Text(0, 65_536, { description: 'The text of the message; empty once redacted.' }),
  body_format: Enum(bodyFormats, { description: 'The format of `body`.' }),
  body_html: Nullable(Text(0, 2147483647), {
    description: 'The text as sanitized HTML, whatever its format; null once redacted.',
  }),
  attachments: Attachments(),
  created_at: Timestamp({ description: 'The time at which the message was sent.' }),
  edited_at: Nullable(Timestamp(), {
    description: 'The time of the last change of the text; null if it is as it was written.',
  }),
  redacted_at: Nullable(Timestamp(), {
    description: 'The time at which the text was erased; null if it was not.',
  }),
})

export const meMessageExample = {
  id: 'msg_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'message',
  conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  sequence: 1,
  author: { side: 'me', name: 'Grace Hopper' },
  body: 'My card was declined twice.',
  body_format: 'text',
  body_html: 'My card was declined twice.',
  attachments: [],
  created_at: '2026-11-20T09:31:00.000Z',
  edited_at: null,
  redacted_at: null,
}

/** A message in the view of one person. */
export type MeMessage = {
  id: string
  conversation_id: string
  sequence: number
  author: { side: (typeof authorSides)[number]; name: string | null }
  body: string
  body_format: string
  body_html: string | null
  attachments: Attachment[] | null
  file_states: FileStates
  created_at: Instant
  edited_at: Instant | null
  redacted_at: Instant | null
}

export const meMessageWire = defineWire<MeMessage>({
  name: 'MeMessage',
  schema: MeMessageSchema,
  example: meMessageExample,
  present: (row) => ({
    id: typeId('msg', row.id),
    object: 'message',
    conversation_id: typeId('conv', row.conversation_id),
    sequence: row.sequence,
    author: row.author,
    body: row.body,
    body_format: row.body_format,
    body_html: row.body_html,
    attachments: presentAttachments(row, '/v1/me/files'),
    created_at: row.created_at,
    edited_at: row.edited_at,
    redacted_at: row.redacted_at,
  }),
})

/** The database, and the environment whose objects are read. */
export type Source = { db: Db; env: { tenantId: string } }

type Author = { side: 'end_user' | 'operator' | 'system'; person: string | null; name: string | null }

/** A message with what its shape needs, before it is known who sees it. */
export type ReadMessage = { message: Message; author: Author; html: string | null }

/** Adds names and HTML to public messages of conversations, with one read of all names. */
export async function readMessages(
  source: Source,
  messages: Message[],
  /** The end user of the conversation, who wrote messages without an author. */
  ownerOf: (message: Message) => string | null,
  known: Person | null = null,
): Promise<ReadMessage[]> {
  const { db, env } = source
  const authorOf = (message: Message) =>
    message.author_side === 'end_user' ? (message.author_end_user_id ?? ownerOf(message)) : null
  const [people, names] = await Promise.all([
    readEach(messages.map(authorOf), async (id) =>
      id === known?.id ? known : findPerson(db, env.tenantId, id),
    ),
    operatorNames(
      source,
      messages.map(({ operator_id }) => operator_id),
    ),
  ])
  return messages.map((message) => {
    const { author_side: side, operator_id } = message
    const person = people.get(authorOf(message) ?? '')
    const name = side === 'operator' ? names.get(operator_id ?? '') : person?.name
    return {
      message,
      author: { side, person: person?.id ?? null, name: name ?? null },
      html: htmlOf(message, contentUrl),
    }
  })
}

const contentUrl = (fileId: string): string => publicUrl(`/v1/me/files/${fileId}/content`)

/** The names of operators, read together. */
export const operatorNames = async ({ db, env }: Source, ids: (string | null)[]) =>
  readEach(ids, async (id) => (await operatorTable.find(db, env.tenantId, id))?.name ?? null)

/** Reads each of some ids once; reads of one turn of the event loop share a statement. */
async function readEach<Found>(
  ids: (string | null)[],
  read: (id: string) => Promise<Found>,
): Promise<Map<string, Found>> {
  const distinct = [...new Set(ids)].filter((id) => id !== null)
  return new Map(await Promise.all(distinct.map(async (id) => [id, await read(id)] as const)))
}

/** @param isMe true for the ids of the person who sees it */
export function messageFor({ message, author, html }: ReadMessage, isMe: (id: string) => boolean): MeMessage {
  const { side, person, name } = author
  const shown = side !== 'end_user' ? side : person !== null && isMe(person) ? 'me' : 'participant'
  return { ...message, author: { side: shown, name }, body_html: html }
}
