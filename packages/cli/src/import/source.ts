import type { Json } from '../api/client.ts'
import type { SourceClient } from './http.ts'

/** An object as the server imports it: a line of NDJSON. Null and undefined members are left out. */
export type Line = { type: string; external_id: string; [member: string]: unknown }

/** The place up to which a walk is complete; null to begin anew with the next fetch. */
export type Cursor = Json

export type RemoteFile = {
  /** Unique among the files of its message. */
  id: string | number
  url: string
  filename: string
  contentType?: string | null | undefined
  /** The `cid` by which the HTML of the message shows it. */
  contentId?: string | null | undefined
  isInline?: boolean | undefined
}

/** A message of a conversation, before its files are fetched. */
export type Draft = {
  id: string
  created_at: string
  /** The members of the author. */
  author: Author
  isInternal: boolean
  /** One of both; a text without HTML is no Markdown. */
  html?: string | null | undefined
  text?: string | null | undefined
  files: RemoteFile[]
  metadata?: Record<string, unknown>
}

export type Author =
  | { author_side: 'end_user'; author_end_user_external_id: string }
  | { author_side: 'operator'; operator_external_id: string }
  | { author_side: 'system' }

/** Takes the objects of a source in any order, and writes those that are new or have changed. */
export type Writer = {
  put(line: Line): void
  /** The conversation and its messages; fetches the files of messages. */
  conversation(line: Line, messages: Draft[]): Promise<void>
  lose(type: string, id: string | number, reason: Reason, detail: string): void
  /** Whether a conversation has been written with this state, so that its messages need not be read again. */
  isCurrent(id: string, state: unknown): boolean
  /** Remembers the state of a conversation that is written. */
  setCurrent(id: string, state: unknown): void
  /** Facts that a later object needs, such as the id that an end user has here. */
  remember(key: string, value: string): void
  recall(key: string): string | null
  /** Whether the object has been written, so that others can refer to it. */
  has(type: string, externalId: string): boolean
}

export const reasons = [
  'truncated',
  'file_missing',
  'field_unmapped',
  'deleted',
  'not_readable',
  'empty',
  'reference_missing',
] as const
export type Reason = (typeof reasons)[number]

export type Stage = {
  /** The objects, for the progress: `tickets`. */
  name: string
  /** Yields a cursor after each part; all that was written before it is kept with it. */
  walk(cursor: Cursor): AsyncIterable<Cursor>
}

export type Walk = {
  client: SourceClient
  out: Writer
  /** Conversations that changed before this time are left out. */
  since: string | null
  /** Whether end users get the ids that the product of the company gave them in the source. */
  ownIds: boolean
  /** The address of the source, without a slash at the end. */
  base: string
}

/** Another product: how its API is reached, and how its objects become lines. */
export type Source = {
  /** The `source` of the import: `zendesk`. */
  name: string
  title: string
  /** Whether an address in the HTML of a message is a file of the product, which may be fetched with credentials. */
  hostsImage?: (url: URL, base: string) => boolean
  stages(walk: Walk): Stage[]
}
