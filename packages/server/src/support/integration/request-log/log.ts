import { LRUCache } from 'lru-cache'
import type { RequestLog, RequestRecord } from '../../../platform/http/observability/request-records.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { wideNetworkOf } from '../../../platform/kernel/networks.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Caller } from '../../../platform/unit-of-work/principal.ts'
import { factsOf } from '../../vocabulary/principal.ts'
import { insertRequests, type NewRequest, trimRequests } from './queries.ts'

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    requestLog: RequestBuffer
  }
}

/** 0 days switch the log off. */
export type RequestLogSettings = { days: number; rows: number }

/** The interval of writes. A request is readable within twice this time. */
export const writeEveryMs = 1_000
/** Further requests are dropped until these are written. */
const maxWaiting = 10_000
/** A larger statement would hold up writes of requests that share its connection. */
const writtenAtOnce = 500
/** A part of the limit of an environment that processes may exceed it by between two removals. */
const slack = 1 / 20
const removedAtOnce = 2_000
const maxCounted = 10_000
const maxNetworks = 10_000

/** The requests of a process that are not written yet, by environment. */
export class RequestBuffer implements RequestLog {
  readonly settings: RequestLogSettings
  #waiting = new Map<string, NewRequest[]>()
  #size = 0
  #dropped = 0
  /** The requests of each environment that this process has written since it last removed the oldest. */
  readonly #written = new LRUCache<string, number>({ max: maxCounted })
  readonly #networks = new LRUCache<string, string>({ max: maxNetworks })

  constructor(settings: RequestLogSettings) {
    this.settings = settings
  }

  get isOn(): boolean {
    return this.settings.days > 0
  }

  get dropped(): number {
    return this.#dropped
  }

  add(caller: Caller, record: RequestRecord): void {
    if (this.#size >= maxWaiting) {
      this.drop()
      return
    }
    this.#size++
    const { tenantId } = caller.environment
    const row = this.#toRow(caller, record)
    const waiting = this.#waiting.get(tenantId)
    if (waiting) waiting.push(row)
    else this.#waiting.set(tenantId, [row])
  }

  drop(): void {
    this.#dropped++
  }

  /** Writes all that waits. @throws the error of a write that failed; its requests wait for the next one */
  async write(db: Db): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#size = 0
    const faults: unknown[] = []
    for (const [tenantId, requests] of waiting)
      while (requests.length > 0) {
        const some = requests.splice(0, writtenAtOnce)
        try {
          await this.#writeSome(db.home(tenantId), tenantId, some)
        } catch (error) {
          faults.push(error)
          this.#restore(tenantId, [...some, ...requests.splice(0)])
        }
      }
    if (faults.length > 0) throw faults[0]
  }

  async #writeSome(db: Db, tenantId: string, requests: NewRequest[]): Promise<void> {
    await insertRequests(db, tenantId, requests)
    const { rows } = this.settings
    const written = (this.#written.get(tenantId) ?? Number.POSITIVE_INFINITY) + requests.length
    const isTrimmed = written >= rows * slack
    this.#written.set(tenantId, isTrimmed ? 0 : written)
    if (isTrimmed) await trimRequests(db, tenantId, rows, removedAtOnce)
  }

  /** As many as there is room for beside the requests since then. */
  #restore(tenantId: string, requests: NewRequest[]): void {
    const room = Math.max(0, maxWaiting - this.#size)
    const kept = requests.slice(0, room)
    this.#dropped += requests.length - kept.length
    if (kept.length === 0) return
    this.#size += kept.length
    this.#waiting.set(tenantId, [...kept, ...(this.#waiting.get(tenantId) ?? [])])
  }

  #toRow({ environment, actor, holderId, viewerId, ...caller }: Caller, record: RequestRecord): NewRequest {
    const { endUser, consoleSession } = factsOf(caller)
    const { originalRequestId } = record
    return {
      id: uuidOf('req', record.id)!,
      created_at: new Date(record.arrivedAtMs + environment.clockOffsetMs),
      duration_ms: record.durationMs,
      status: record.status,
      method: record.method,
      route: record.route,
      path: record.path,
      code: record.code,
      key_id: actor.type === 'api_key' ? holderId : null,
      console_session_id: consoleSession?.id ?? null,
      end_user_session_id: endUser?.sessionId ?? null,
      operator_id: viewerId,
      is_replay: record.isReplay,
      original_request_id: originalRequestId === null ? null : uuidOf('req', originalRequestId),
      network: this.#networkOf(record.address),
    }
  }

  /** The same few addresses send most requests. */
  #networkOf(address: string): string | null {
    if (address === '') return null
    const known = this.#networks.get(address)
    if (known !== undefined) return known
    const network = wideNetworkOf(address)
    this.#networks.set(address, network)
    return network
  }
}
