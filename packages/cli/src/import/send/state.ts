import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import type { Access } from '../../access/access.ts'
import { ApiRefusal, type Client } from '../../api/client.ts'
import { readState, writeState } from '../state.ts'
import type { Part } from './part.ts'
import { digestOf, usableMs } from './uploads.ts'

export type CurrentPart = Part & {
  /** The number of lines before the part. */
  lineBefore: number
  builtAt: number
  fileId: string | null
  jobId: string | null
}

export type Totals = { parts: number; lines: number; failed: number; refused_files: number }

/** `sent/<target>/state.json`: what one environment of a server has received. */
export type SendState = {
  url: string
  environment: string
  /** The beginning of the file: another file of the same name is sent from its start. */
  beginning: { length: number; sha256: string }
  position: number
  line: number
  /** Raised whenever lines are sent anew, so that they have other idempotency keys. */
  attempt: number
  current: CurrentPart | null
  /** The valid length of `refused.ndjson`. */
  refused: number
  totals: Totals
}

const beginningBytes = 4_096

export function openSendState(
  place: string,
  access: Access,
  file: string,
): { state: SendState; save(): void } {
  const stored = readState<SendState>(place)
  const isSame =
    stored !== null && beginningOf(file, stored.beginning.length).sha256 === stored.beginning.sha256
  const state = isSame ? stored : newState(access, file, (stored?.attempt ?? -1) + 1)
  return {
    state,
    save() {
      if (state.position === 0) state.beginning = beginningOf(file, beginningBytes)
      writeState(place, state)
    },
  }
}

const newState = ({ url, environment }: Access, file: string, attempt: number): SendState => ({
  url,
  environment,
  beginning: beginningOf(file, beginningBytes),
  position: 0,
  line: 0,
  attempt,
  current: null,
  refused: 0,
  totals: { parts: 0, lines: 0, failed: 0, refused_files: 0 },
})

function beginningOf(file: string, length: number): SendState['beginning'] {
  const bytes = Buffer.alloc(length)
  const handle = openSync(file, 'r')
  try {
    const read = readSync(handle, bytes, 0, length, 0)
    return { length: read, sha256: createHash('sha256').update(bytes.subarray(0, read)).digest('hex') }
  } finally {
    closeSync(handle)
  }
}

/** A part whose import has begun, or whose files the server still has. */
export const isUsable = ({ builtAt, fileId, jobId }: CurrentPart, part: string): boolean =>
  jobId !== null || ((fileId !== null || existsSync(part)) && Date.now() - builtAt < usableMs)

/** A name for the environment that the key belongs to: each has a state of its own. */
export async function targetOf({ url, environment }: Access, client: Client): Promise<string> {
  const workspace = await client.call('GET', '/v1/workspace').catch((error) => {
    if (error instanceof ApiRefusal && error.code === 'scope_missing') return null
    throw error
  })
  return `${environment}-${digestOf(`${url} ${workspace?.id ?? ''}`).slice(0, 12)}`
}
