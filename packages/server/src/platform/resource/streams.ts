import type { Readable } from 'node:stream'
import type { SortKey } from '../kernel/page.ts'
import type { Change } from '../unit-of-work/change.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Open } from './access.ts'
import type { BytesBody, ReceivedBytes } from './bytes.ts'
import type { Common, Described, Input, None, Route } from './resource.ts'
import type { TObject } from './schema.ts'
import type { Wire } from './wire.ts'

/* The declarations of endpoints whose body or response is not one JSON text: streams, and bytes. */

/** GET of a text that is sent in pieces while it is read. An error before the first piece is an error response. */
export const stream = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    mediaType: string
    /** The subject of the stream and the form of a piece, for the documentation. */
    piece: Wire<never>
    replyExample: string
    /** @param signal aborts when the client has disconnected */
    handle(ctx: Ctx, input: Input<Query, None>, signal: AbortSignal): AsyncIterable<string>
  },
): StreamRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'stream',
    status: 200,
    reply: route.piece,
    versionOf: null,
  }) as unknown as StreamRoute

export type StreamRoute = Route & {
  kind: 'stream'
  mediaType: string
  handle(ctx: Ctx, input: unknown, signal: AbortSignal): AsyncIterable<string>
}

/** The start of a live stream. */
export type Resuming = {
  /** The position of the client's cursor, if it sent one. */
  after: SortKey | null
  /** The cursor of a position in the list that `cursorsOf` names. */
  cursorAt(key: SortKey): string
}

/** The client of a live stream. */
export type Reader = {
  /** Sends a text. False if the client is slower: wait for `resume` before sending more. */
  send(text: string): boolean
  /** Ends the connection. */
  end(): void
}

/** The source of a live stream, active after `start`. */
export type Live = {
  start(): void
  /** The client has read what was sent. */
  resume(): void
  /**
   * Called every second.
   * @param nowMs time of the monotonic clock
   */
  tick(nowMs: number): void
  /** The client has disconnected. */
  close(): void
}

/** GET of Server-Sent Events without an end. An error of `handle` is an error response. */
export const live = <Query extends TObject = None>(
  route: Common & {
    query?: Query
    piece: Wire<never>
    replyExample: string
    /** The list whose cursors are valid for resuming. */
    cursorsOf: { path: string; sort: string }
    /** True if the source itself ends streams whose credential is revoked: then credentials are checked rarely. */
    endsRevoked?: true
    handle(ctx: Ctx, input: Input<Query, None>, resuming: Resuming, reader: Reader): Promise<Live>
  },
): LiveRoute =>
  ({
    ...route,
    method: 'GET',
    kind: 'live',
    mediaType: 'text/event-stream',
    status: 200,
    reply: route.piece,
    versionOf: null,
  }) as unknown as LiveRoute

export type LiveRoute = Route & {
  kind: 'live'
  mediaType: string
  cursorsOf: { path: string; sort: string }
  handle(ctx: Ctx, input: unknown, resuming: Resuming, reader: Reader): Promise<Live>
}

/** The bytes of a file, or the URL where they are. */
export type Content =
  | { location: string }
  | {
      /** The headers that tell what the bytes are, and how they may be shown. */
      headers: Record<string, string>
      etag: string
      sizeBytes: number
      /** Reads all bytes, or those of a range, both ends included. */
      read(range?: { start: number; end: number }): Promise<Readable>
    }

/** GET of the bytes of a file, or of ranges of them. Null from the handler is 404. */
export const content = (
  route: (Common | (Described & Open)) & {
    handle(ctx: Ctx, input: Input<None, None>): Promise<Content | null>
  },
): Route => ({
  ...route,
  method: 'GET',
  kind: 'content',
  status: 200,
  mediaType: '*/*',
  reply: null,
  versionOf: null,
})

/** A POST whose body is bytes. The handler receives what `receive` returns, and may run more than once. */
export const receives = <Row extends object, Received extends ReceivedBytes, Query extends TObject = None>(
  route: Common & {
    status: 201 | 202
    query?: Query
    bytes: BytesBody<Received>
    reply: Wire<Row>
    location(row: Row): string
    handle(change: Change, input: Omit<Input<Query, None>, 'body'> & { body: Received }): Promise<Row>
  },
): Route =>
  ({
    ...route,
    method: 'POST',
    kind: 'write',
    versionOf: ({ version }: { version: number }) => version,
    createsOrChanges: true,
  }) as unknown as Route
