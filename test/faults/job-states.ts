import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { type Body, succeeded, tally } from '../desk.ts'
import { contentOf } from '../files.ts'
import { resultsOf, run } from '../jobs.ts'
import type { Stage } from './job-cases.ts'

/* What a job has left, as the API shows it, in a form that is the same in two environments with the same history. */

const ids = /\b[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}\b/g
/** Imported objects are older; all other times are those of the test. */
const firstYear = '2021'

/** The lines of the files that an export has made. */
async function linesOf({ url, world }: Stage, { result }: Body): Promise<Body[]> {
  const fileIds: string[] = result.file_id
    ? [result.file_id]
    : result.parts.map(({ file_id }: Body) => file_id)
  const lines: Body[] = []
  for (const id of fileIds) {
    const answer = await contentOf({ url }, world.test, id)
    assert.equal(answer.status, 200)
    const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()
    lines.push(...text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])))
  }
  return lines
}

/** Replaces ids by what the objects are called, and times of the test. */
function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\dT/.test(value) && value > firstYear) return 'now'
    return value.replace(ids, (id) => names.get(id) ?? id.slice(0, id.indexOf('_')))
  }
  if (Array.isArray(value)) return value.map((each) => plain(each, names))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, names)]))
}

/** Lists whose order depends on ids are compared as sets. */
const sorted = (values: unknown[], names: ReadonlyMap<string, string>): string[] =>
  values.map((each) => JSON.stringify(plain(each, names))).sort()

/**
 * An object without what differs by chance: the bytes of files that exports have made, and how often an imported
 * conversation was written, which depends on the parts of the import.
 */
function comparable(line: Body, { type }: Body): Body {
  if (line.object === 'file') return { ...line, size_bytes: null, sha256: null }
  return type === 'import' && line.object === 'conversation' ? { ...line, version: null } : line
}

async function eventsOf({ world }: Stage): Promise<string[]> {
  const types: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/v1/events?limit=100${cursor && `&cursor=${cursor}`}`
    const page = succeeded(await world.test.get(path))
    types.push(...page.data.map(({ type }: Body) => type))
    cursor = page.next_cursor
  }
  return types
}

/** The parts of an import have events of their own, and begin where a process was killed. */
const dependsOnParts = (type: string) => type.startsWith('job.') || type === 'conversation.imported'

/** The end of a job, and the state of its environment. */
export async function stateOf(stage: Stage, job: Body): Promise<Record<string, unknown>> {
  const { test: client } = stage.world
  const [events, results] = [await eventsOf(stage), await resultsOf(client, job)]
  const copy = await linesOf(stage, await run(client, '/v1/exports', {}))
  const names = new Map<string, string>()
  for (const { id, object, external_id, name } of copy)
    names.set(id, `${object} ${external_id ?? name ?? ''}`)
  const made = job.result?.parts || job.result?.file_id ? await linesOf(stage, job) : []
  const places = results.map(({ index, line }) => index ?? line)
  const counts = job.result?.counts ?? job.result?.manifest?.objects ?? {}
  const certificate = job.result?.erasure_id
    ? succeeded(await client.get(`/v1/erasures/${job.result.erasure_id}`)).counts
    : null
  return {
    status: job.status,
    error: job.error,
    progress: job.progress,
    counts: Object.entries(counts).map(([name, of]) => [
      name,
      typeof of === 'number' ? of : (of as Body).count,
    ]),
    certificate,
    held: job.result?.held ?? null,
    results: sorted(
      results.map(({ index, ...rest }) => rest),
      names,
    ),
    isEachPlaceOnce: new Set(places).size === places.length,
    made: sorted(
      made.map((line) => comparable(line, job)),
      names,
    ),
    objects: sorted(
      copy.map((line) => comparable(line, job)),
      names,
    ),
    events: [...tally(events.filter((type) => !dependsOnParts(type)))].sort(),
  }
}
