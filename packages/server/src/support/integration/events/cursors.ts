import { cursorCodec } from '../../../platform/http/request/pagination.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    /** Returns the cursor of a place in the journal, which `GET /v1/events` and its stream continue. */
    feedCursor(tenantId: string, place: SortKey): string
  }
}

/** @param secret of all cursors of the installation */
export function feedCursors(secret: Buffer): (tenantId: string, place: SortKey) => string {
  const codec = cursorCodec(secret)
  return (tenantId, place) =>
    codec.write({ tenantId, path: '/v1/events', filters: {}, sort: 'commit' }, place)
}
