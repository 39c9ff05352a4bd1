import { typeId } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import { type Conversation, conversationTable } from '../../desk/conversations/queries.ts'
import type { ResultFault } from '../../jobs/queries.ts'
import { importedEvent } from './conversation-writing.ts'
import { type Known, linkConversations, toldLines, unknown } from './queries.ts'
import type { Links, PlacedRecord } from './spool.ts'
import { noSuch } from './validating.ts'
import { failedLine, failuresIn, type LinesDone, markImported, succeeded, type Work } from './work.ts'

/** Links conversations to those that they follow up or were merged into, which other buckets may have. */
export async function linksPart(work: Work, jobId: string, records: PlacedRecord[]): Promise<LinesDone> {
  const { db, env } = work.ctx
  const draft = new Draft(work.ctx)
  try {
    const { change } = draft
    const lines = records.map(({ number, text }) => ({ number, links: JSON.parse(text) as Links }))
    const known = await work.resolver.find(
      db,
      env.tenantId,
      'conversation',
      lines.flatMap(({ links }) =>
        [links.external_id, links.follow_up_of, links.merged_into].filter(isGiven),
      ),
    )
    const told = await toldLines(
      db,
      env.tenantId,
      jobId,
      lines.map(({ number }) => number),
    )
    const rows = await rowsOf(db, env.tenantId, known, lines)
    const written = new Map<string, { before: Conversation; after: Conversation }>()
    const results: LinesDone['results'] = []
    for (const { number, links } of lines) {
      if (told.has(number)) continue // the conversation was refused
      const id = known.get(links.external_id)?.id ?? null
      const row = id === null ? undefined : (written.get(id)?.after ?? rows.get(id))
      if (!row) {
        results.push(work.isDry ? succeeded(number, null) : failedLine(number, [deleted]))
        continue
      }
      const { patch, faults } = patchOf(work, row, links, known)
      if (Object.keys(patch).length > 0) {
        const before = written.get(row.id)?.before ?? row
        written.set(row.id, { before, after: { ...row, ...patch, version: before.version + 1 } })
      }
      const shown = typeId('conv', row.id)
      results.push(faults.length > 0 ? failedLine(number, faults, shown) : succeeded(number, shown))
    }
    const failed = failuresIn(results)
    if (work.isDry || written.size === 0) {
      draft.releaseLocks()
      return { changes: [], results, failed }
    }
    for (const { before, after } of written.values()) {
      change.startAfter(before)
      change.effects.writeExpecting(linkConversations, after)
    }
    const plan = await draft.plan(null)
    for (const { before, after } of written.values()) plan.events.push(importedEvent(change, before, after))
    return { changes: [{ draft, plan: markImported(plan) }], results, failed }
  } catch (error) {
    draft.releaseLocks()
    throw error
  }
}

const deleted: ResultFault = {
  pointer: null,
  code: 'not_found',
  detail: 'The conversation was deleted while the import ran.',
}

const isGiven = (id: string | undefined): id is string => id !== undefined

/** Links that a conversation has already stay. */
function patchOf(
  { isDry }: Work,
  row: Conversation,
  { follow_up_of, merged_into }: Links,
  known: Map<string, Known>,
): { patch: Partial<Conversation>; faults: ResultFault[] } {
  const faults: ResultFault[] = []
  const target = (name: string, externalId: string | undefined): string | null => {
    if (externalId === undefined) return null
    const { id } = known.get(externalId) ?? unknown
    if (id === null && !isDry) faults.push(noSuch(`/${name}_external_id`, 'conversation'))
    return id
  }
  const [follows, into] = [target('follow_up_of', follow_up_of), target('merged_into', merged_into)]
  return {
    patch: {
      ...(follows !== null && row.follow_up_of_id === null ? { follow_up_of_id: follows } : {}),
      ...(into !== null && row.merged_into_id === null && row.status === 'closed'
        ? { merged_into_id: into }
        : {}),
    },
    faults,
  }
}

type Line = { number: number; links: Links }

async function rowsOf(
  db: Db,
  tenantId: string,
  known: Map<string, Known>,
  lines: Line[],
): Promise<Map<string, Conversation>> {
  const ids = lines.flatMap(({ links }) => known.get(links.external_id)?.id ?? [])
  const rows = await conversationTable.findMany(db, tenantId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}
