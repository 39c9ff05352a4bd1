import {
  changesDigest,
  digestLength,
  type Erased,
  entryDigest,
} from '../../../platform/journal/audit-chain.ts'
import { changesOf } from '../../vocabulary/changes.ts'
import type { AuditRow } from './queries.ts'
import { factsOf } from './schema.ts'

/** The seal of an entry: the id of its event and its digest. */
export type Seal = { id: string; digest: Buffer }

const idLength = 16
const sealLength = idLength + digestLength

type Sealed = Omit<AuditRow, 'is_redacted'>

/** Digests of erased values were stored at the erasure; that of the whole entry, if its sender was erased. */
export function sealOf(row: Sealed): Seal {
  const erased: Erased = row.erased === null ? {} : (JSON.parse(row.erased) ?? {})
  const whole = row.ip === null && row.user_agent === null ? erased['*entry'] : undefined
  const digest = whole
    ? Buffer.from(whole, 'hex')
    : entryDigest(factsOf(row), changesDigest(changesOf(row), erased))
  return { id: row.id, digest }
}

/** Writes up to `room` seals into one buffer, so that a block does not hold a thousand small buffers. */
export function sealWriter(room: number): { add(seal: Seal): void; count(): number; written(): Buffer } {
  const bytes = Buffer.alloc(room * sealLength)
  let count = 0
  return {
    add({ id, digest }) {
      if (count === room) throw new Error('The block is full')
      const at = count++ * sealLength
      bytes.write(id.replaceAll('-', ''), at, 'hex')
      digest.copy(bytes, at + idLength)
    },
    count: () => count,
    written: () => bytes.subarray(0, count * sealLength),
  }
}

/** Null for bytes that are not a list of seals. */
export function readSeals(bytes: Buffer): Seal[] | null {
  const count = bytes.length / sealLength
  if (!Number.isInteger(count) || count === 0) return null
  return Array.from({ length: count }, (_, i) => {
    const seal = bytes.subarray(i * sealLength, (i + 1) * sealLength)
    return { id: uuidFrom(seal.subarray(0, idLength)), digest: seal.subarray(idLength) }
  })
}

const uuidFrom = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
