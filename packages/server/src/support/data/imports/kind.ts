import { setTimeout as sleep } from 'node:timers/promises'
import { defaultDeniedExtensions } from '../../../platform/files/denied-types.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { deniedExtensions } from '../../files/queries.ts'
import { defineJobKind, type OpenJob, type Pace, type Part } from '../../jobs/kinds.ts'
import type { Job } from '../../jobs/queries.ts'
import { makeDirectory, removeDirectory } from '../../jobs/running/directories.ts'
import { sizeAt } from '../../jobs/running/pace.ts'
import type { FetchedFiles, Wanted } from './attaching.ts'
import { type Unit, unitsOf } from './bucket.ts'
import type { Slice } from './conversation-lines.ts'
import { checkedSlice, conversationPart, operatorsPart } from './conversation-part.ts'
import { Fetcher } from './fetching.ts'
import { linksPart } from './links.ts'
import { type ImportParams, type ImportState, type SimpleType, type Stage, stages } from './params.ts'
import { Resolver } from './resolver.ts'
import { type Refusal, refusalOf, type SimpleDone, simplePart } from './simple-part.ts'
import { linesOf, sourceFile } from './source.ts'
import { readRecords, type Spool, spoolLines } from './spool.ts'
import type { CheckedSlice } from './stored.ts'
import { failedLine, type Work } from './work.ts'

export const importKind = defineJobKind({
  type: 'import',
  async open(ctx): Promise<OpenJob> {
    return new Import(ctx, await makeDirectory())
  },
})

/** The lines of a part: at first, and at most. */
const [firstLines, mostLines] = [64, 2_000]
const mostCharacters = 2 * 1024 * 1024
const faultsTogether = 500
/** While something outside of the parts goes on, the job looks so often whether it was cancelled. */
const lookAfterMs = 1_000
const fetchedTogether = 8
/** The approximate ratio of compression of conversations. */
const usualRatio = 6

type CheckedLines = { checked: CheckedSlice[]; next: { unit: number; message: number } }

/** An import that this process carries out. Another one sets the lines aside anew, and goes on at the state. */
class Import implements OpenJob {
  readonly #ctx: () => Ctx
  readonly #directory: string
  readonly #closing = new AbortController()
  #resolver: Resolver | null = null
  #spool: Spool | null = null
  #bucket: { index: number; units: Unit[] } | null = null
  #fetcher: Fetcher | null = null
  #fetched: FetchedFiles = new Map()
  /** Work outside of the parts, for which the next one waits. */
  #outside: Promise<void> | null = null
  /** How it failed, if it did: perhaps while no part waited for it. */
  #failure: { error: unknown } | null = null
  /** The lines after those of the present part. */
  #ahead: { state: ImportState; some: Promise<CheckedLines | null> } | null = null
  #size = firstLines
  #latest: { type: SimpleType; done: SimpleDone } | null = null
  #refusal: Refusal | null = null

  constructor(ctx: () => Ctx, directory: string) {
    this.#ctx = ctx
    this.#directory = directory
  }

  async next(job: Job, pace: Pace): Promise<Part> {
    const state = job.state as ImportState
    const params = job.params as ImportParams
    if (this.#failure) throw this.#failure.error
    if (this.#outside) return this.#waiting(state)
    if (!this.#spool) return this.#outsideOf(state, this.#setAside(job, params))
    this.#resolver ??= new Resolver(params.source)
    this.#resolver.begin(pace.conflicts === 0)
    this.#size = this.#refusal || pace.conflicts > 3 ? 1 : sizeAt(this.#size, pace, mostLines)
    this.#latest = null
    const work: Work = {
      ctx: this.#ctx(),
      params,
      isDry: job.dry_run,
      resolver: this.#resolver,
      declared: this.#spool.declared,
    }
    const part = await this.#part(work, job.id, state, this.#spool, pace.conflicts > 0)
    return job.total === null ? { ...part, total: this.#spool.total } : part
  }

  async #part(work: Work, jobId: string, from: ImportState, spool: Spool, isAgain: boolean): Promise<Part> {
    let state = from
    while (!hasLines(state, spool)) {
      const next = stageAfter(state.stage)
      if (next === null) return { done: 0, failed: 0, state, ends: {} }
      state = begin(next)
    }
    if (state.stage === 'conversations') return this.#conversations(work, state, spool, isAgain)
    const path = spool.files.get(state.stage)!
    if (state.stage === 'faults' || state.stage === 'links') {
      const records = await readRecords(path, state.at, faultsTogether)
      const done =
        state.stage === 'links'
          ? await linksPart(work, jobId, records)
          : {
              changes: [],
              results: records.map(({ number, text }) => failedLine(number, JSON.parse(text))),
              failed: records.length,
            }
      return { ...done, done: done.results.length, state: placeAfter(state, records.at(-1)!.end) }
    }
    const records = await readRecords(path, state.at, this.#size)
    const done = await simplePart(work, state.stage, records, this.#refusal)
    this.#latest = { type: state.stage, done }
    this.#refusal = null
    const { changes, results, failed, next } = done
    return { changes, results, failed, done: results.length, state: placeAfter(state, next) }
  }

  async #conversations(work: Work, state: ImportState, spool: Spool, isAgain: boolean): Promise<Part> {
    if (this.#bucket?.index !== state.at) return this.#outsideOf(state, this.#load(state.at, spool))
    const { units } = this.#bucket
    const { checked, next } = await this.#checkedFrom(work, state, units, isAgain)
    const operators = work.isDry ? null : await operatorsPart(work, checked)
    if (operators) return { ...operators, done: 0, state }
    const { wanted, ...done } = await conversationPart(work, checked, this.#fetched)
    if (wanted.length > 0) return this.#outsideOf(state, this.#fetch(wanted))
    const isLast = next.unit === units.length
    const after = isLast ? { ...state, at: state.at + 1, unit: 0, message: 0 } : { ...state, ...next }
    if (!isLast) this.#ahead = { state: after, some: this.#check(work, after, units).catch(() => null) }
    return { ...done, done: done.results.length, state: after }
  }

  /** The next lines: those that were checked while the part before was written, if it was. */
  async #checkedFrom(work: Work, state: ImportState, units: Unit[], isAgain: boolean): Promise<CheckedLines> {
    const ahead = this.#ahead
    this.#ahead = null
    const isNext = ahead?.state.unit === state.unit && ahead.state.message === state.message
    const some = isNext && !isAgain ? await ahead.some : null
    return some ?? this.#check(work, state, units)
  }

  async #check(work: Work, state: ImportState, units: Unit[]): Promise<CheckedLines> {
    const { slices, next } = slicesOf(units, state, this.#size)
    const checked: CheckedSlice[] = []
    for (const slice of slices) checked.push(await checkedSlice(work, slice))
    return { checked, next }
  }

  async #setAside(job: Job, { file_id }: ImportParams): Promise<void> {
    const ctx = this.#ctx()
    const file = await sourceFile(ctx, uuidOf('file', file_id)!)
    const isPacked = /gzip|\.gz$/.test(`${file.content_type} ${file.filename}`)
    this.#spool = await spoolLines(this.#directory, linesOf(ctx, file), {
      expectedBytes: file.size_bytes * (isPacked ? usualRatio : 1),
      isDry: job.dry_run,
      signal: this.#closing.signal,
    })
  }

  async #load(index: number, spool: Spool): Promise<void> {
    this.#bucket = null
    this.#ahead = null
    this.#fetched = new Map()
    this.#bucket = { index, units: await unitsOf(spool.buckets[index]!) }
  }

  async #fetch(files: Wanted[]): Promise<void> {
    const ctx = this.#ctx()
    const denied = (await deniedExtensions(ctx.db, ctx.env.tenantId)) ?? defaultDeniedExtensions
    this.#fetcher ??= new Fetcher(this.#directory, ctx.services.webhookNetworks)
    const rest = files.values()
    const some = async () => {
      for (const { key, url, filename } of rest)
        this.#fetched.set(key, await this.#fetcher!.fetch(ctx, url, filename, denied))
    }
    await Promise.all(Array.from({ length: fetchedTogether }, some))
  }

  /** Does something that takes no place among the jobs, and begins the next part after it. */
  #outsideOf(state: ImportState, work: Promise<void>): Part {
    const outside = work.finally(() => {
      this.#outside = null
    })
    outside.catch((error) => {
      this.#failure = { error }
    })
    this.#outside = outside
    return this.#waiting(state)
  }

  /** Parts in between see a cancellation, and let this process stop. */
  #waiting(state: ImportState): Part {
    const after = Promise.race([this.#outside!, sleep(lookAfterMs, undefined, { ref: false })])
    after.catch(() => undefined) // the job may have been cancelled, and nobody waits
    return { done: 0, failed: 0, state, after }
  }

  async refused(error: unknown): Promise<void> {
    if (this.#latest) this.#refusal = await refusalOf(this.#latest.type, this.#latest.done, error)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#fetcher?.close()
    await this.#outside?.catch(() => undefined)
    await removeDirectory(this.#directory)
  }
}

const hasLines = ({ stage, at }: ImportState, { files, buckets }: Spool): boolean =>
  stage === 'conversations' ? at < buckets.length : at >= 0 && files.has(stage)

const stageAfter = (stage: Stage): Stage | null => stages[stages.indexOf(stage) + 1] ?? null

const begin = (stage: Stage): ImportState => ({ stage, at: 0, unit: 0, message: 0 })

/** @param at null at the end of the stage */
const placeAfter = (state: ImportState, at: number | null): ImportState => ({ ...state, at: at ?? -1 })

/** The next lines, up to a number of them, and the place after them. */
function slicesOf(
  units: Unit[],
  { unit: first, message }: ImportState,
  most: number,
): { slices: Slice[]; next: { unit: number; message: number } } {
  const slices: Slice[] = []
  let [lines, characters, from] = [0, 0, message]
  for (let i = first; i < units.length; i++) {
    const unit = units[i]!
    let to = from
    lines += unit.conversations.length
    // The line of a conversation comes with a message at least: its slice would begin again otherwise.
    while (to < unit.messages.length && (to === from || (lines < most && characters < mostCharacters))) {
      const { body } = unit.messages[to]!.object
      characters += typeof body === 'string' ? body.length : 0
      lines++
      to++
    }
    slices.push({ unit, from, to })
    if (to < unit.messages.length) return { slices, next: { unit: i, message: to } }
    from = 0
    if (lines >= most || characters >= mostCharacters) return { slices, next: { unit: i + 1, message: 0 } }
  }
  return { slices, next: { unit: units.length, message: 0 } }
}
