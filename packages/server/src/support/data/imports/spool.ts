import { type FileHandle, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultFault } from '../../jobs/queries.ts'
import { type LineType, lineTypes, type SimpleType, simpleTypes } from './params.ts'
import { maxLineBytes, type SourceLine } from './source.ts'

/** A line that was set aside for its stage. */
export type Record = { number: number; text: string }
/** `end` is the offset of the next one; null for the last. */
export type PlacedRecord = Record & { end: number | null }

type LocalFile = { path: string; bytes: number }

const flushBytes = 64 * 1024

/** A local file of records: the number of the line, a tab, and the line. */
class RecordFile {
  readonly path: string
  bytes = 0
  #handle: FileHandle | null = null
  #waiting: Buffer[] = []
  #waitingBytes = 0

  constructor(path: string) {
    this.path = path
  }

  add(number: number, text: Buffer | string): Promise<void> | undefined {
    const record = Buffer.from(`${number}\t`)
    const line = typeof text === 'string' ? Buffer.from(text) : text
    this.#waiting.push(record, line, newline)
    this.#waitingBytes += record.length + line.length + 1
    return this.#waitingBytes >= flushBytes ? this.flush() : undefined
  }

  async flush(): Promise<void> {
    const all = Buffer.concat(this.#waiting)
    ;[this.#waiting, this.#waitingBytes] = [[], 0]
    this.#handle ??= await open(this.path, 'w', 0o600)
    if (all.length > 0) await this.#handle.writeFile(all) // `write` may write only a part
    this.bytes += all.length
  }

  async end(): Promise<LocalFile> {
    await this.flush()
    await this.#handle?.close()
    this.#handle = null
    return { path: this.path, bytes: this.bytes }
  }

  async abandon(): Promise<void> {
    await this.#handle?.close().catch(() => undefined)
    this.#handle = null
  }
}
const newline = Buffer.from('\n')

/** The lines of an import in local files: those of each simple type, and the conversations in buckets. */
export type Spool = {
  /** The number of lines that are not blank. */
  total: number
  /** The file of each stage but the conversations. */
  files: Map<string, string>
  /** Each has all lines of its conversations, and few enough for the memory. */
  buckets: string[]
  /** In a dry run, the external ids of objects that would be made, by type. */
  declared: Map<LineType, Set<string>>
}

const bucketBytes = 8 * 1024 * 1024
/** More than these are divided once more. */
const mostBucketBytes = 3 * bucketBytes
const mostBuckets = 128
/** The lines of one conversation, which are in the memory together, have at most so many bytes. */
const mostConversationBytes = 64 * 1024 * 1024
const isSimple = (type: string): type is SimpleType => (simpleTypes as readonly string[]).includes(type)
const isType = (type: unknown): type is LineType => (lineTypes as readonly unknown[]).includes(type)

/** Types whose lines may refer to others of the same type. */
const parentKeys: Partial<{ [Type in SimpleType]: string }> = {
  department: 'fallback_department_external_id',
  category: 'parent_external_id',
  kb_collection: 'parent_external_id',
  kb_article: 'translation_of_external_id',
}

/** Types that a line must find: the others are made when a line names them. */
const mustExist = new Set<LineType>(['department', 'category', 'kb_collection', 'kb_article', 'company'])

/**
 * Sets all lines aside. The same file makes the same local files in each process, so that a place in them is one
 * anywhere.
 * @param expectedBytes the approximate length of the lines together
 */
export async function spoolLines(
  directory: string,
  lines: AsyncIterable<SourceLine[]>,
  { expectedBytes, isDry, signal }: { expectedBytes: number; isDry: boolean; signal: AbortSignal },
): Promise<Spool> {
  const count = Math.max(1, Math.min(mostBuckets, Math.ceil(expectedBytes / bucketBytes)))
  const all = new Map<string, RecordFile>()
  const fileNamed = (name: string) => {
    const file = all.get(name) ?? new RecordFile(join(directory, name))
    all.set(name, file)
    return file
  }
  const declared: Spool['declared'] = new Map()
  let total = 0
  try {
    for await (const some of lines) {
      signal.throwIfAborted()
      for (const line of some) {
        total++
        const place = placeOf(line, count)
        await fileNamed(place.file).add(
          line.number,
          'faults' in place ? JSON.stringify(place.faults) : line.text!,
        )
        if ('links' in place && place.links)
          await fileNamed('links').add(line.number, JSON.stringify(place.links))
        if (isDry && 'object' in place && mustExist.has(place.object.type))
          declared.set(
            place.object.type,
            (declared.get(place.object.type) ?? new Set()).add(place.object.external_id),
          )
      }
    }
    const isBucket = (name: string) => name.startsWith('bucket')
    const buckets: string[] = []
    for (const [name, file] of [...all].sort(byName)) {
      if (!isBucket(name)) continue
      for (const part of await divided(await file.end(), signal)) {
        if (part.bytes > mostConversationBytes)
          await leaveOut(part.path, (number) => fileNamed('faults').add(number, excess), signal)
        buckets.push(part.path)
      }
    }
    const files = new Map<string, string>()
    for (const [name, file] of all) if (!isBucket(name)) files.set(name, (await file.end()).path)
    for (const [type, key] of Object.entries(parentKeys)) {
      const path = files.get(type)
      if (path) await parentsFirst(path, key)
    }
    return { total, files, buckets, declared }
  } finally {
    await Promise.all([...all.values()].map((file) => file.abandon()))
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)

export type Links = { external_id: string; follow_up_of?: string; merged_into?: string }
type Place =
  | { file: string; faults: ResultFault[] }
  | { file: string; object: { type: LineType; external_id: string }; links?: Links | null }

/** The file of a line. Lines that belong nowhere are faults. */
function placeOf({ text, fault }: SourceLine, count: number): Place {
  const faulty = (pointer: string | null, code: string, detail: string): Place => ({
    file: 'faults',
    faults: [{ pointer, code, detail }],
  })
  if (fault === 'too_long') return faulty(null, 'too_long', `must have at most ${maxLineBytes} bytes`)
  if (text === null) return faulty(null, 'bad_format', 'must be UTF-8')
  let object: { [member: string]: unknown }
  try {
    object = JSON.parse(text.toString())
  } catch {
    return faulty(null, 'bad_format', 'must be a JSON object')
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    return faulty(null, 'wrong_type', 'must be a JSON object')
  const { type, external_id } = object
  if (!isType(type)) {
    const detail = `must be one of ${lineTypes.join(', ')}`
    return type === undefined
      ? faulty('/type', 'required', 'is required')
      : faulty('/type', 'not_allowed', detail)
  }
  if (!isExternalId(external_id)) return faultyId('/external_id', external_id, faulty)
  if (isSimple(type)) return { file: type, object: { type, external_id } }
  const conversation = type === 'message' ? object.conversation_external_id : external_id
  if (!isExternalId(conversation)) return faultyId('/conversation_external_id', conversation, faulty)
  const { follow_up_of_external_id: follow_up_of, merged_into_external_id: merged_into } = object
  const links: Links = {
    external_id,
    ...(isExternalId(follow_up_of) ? { follow_up_of } : {}),
    ...(isExternalId(merged_into) ? { merged_into } : {}),
  }
  const hasLinks = type === 'conversation' && Object.keys(links).length > 1
  return {
    file: `bucket${String(bucketOf(conversation, count, 0)).padStart(4, '0')}`,
    object: { type, external_id },
    links: hasLinks ? links : null,
  }
}

/** Texts of 1 to 255 characters that PostgreSQL can store. */
const isExternalId = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\0\p{Cs}]{1,255}$/u.test(value)

const faultyId = (
  pointer: string,
  value: unknown,
  faulty: (pointer: string, code: string, detail: string) => Place,
): Place => {
  if (value === undefined || value === null) return faulty(pointer, 'required', 'is required')
  if (typeof value !== 'string') return faulty(pointer, 'wrong_type', 'must be a string')
  if (value === '') return faulty(pointer, 'too_short', 'must not be empty')
  if ([...value].length > 255) return faulty(pointer, 'too_long', 'must have at most 255 characters')
  return faulty(pointer, 'bad_format', 'must not contain NUL or a lone surrogate')
}

/** FNV-1a. */
function bucketOf(text: string, count: number, salt: number): number {
  let hash = 2166136261 ^ salt
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  hash ^= hash >>> 15 // the lower bits alone depend on few characters
  return (hash >>> 0) % count
}

/** A bucket, or several in its place if it is too large. The lines of one conversation stay together. */
async function divided({ path, bytes }: LocalFile, signal: AbortSignal): Promise<LocalFile[]> {
  if (bytes <= mostBucketBytes) return [{ path, bytes }]
  const count = Math.min(mostBuckets, Math.ceil(bytes / bucketBytes))
  const parts = new Map<number, RecordFile>()
  try {
    for await (const records of recordsOf(path)) {
      signal.throwIfAborted()
      for (const { number, text } of records) {
        const at = bucketOf(conversationOf(JSON.parse(text)), count, 0x9e3779b9)
        const part = parts.get(at) ?? new RecordFile(`${path}.${String(at).padStart(4, '0')}`)
        parts.set(at, part)
        await part.add(number, text)
      }
    }
    const ended: LocalFile[] = []
    for (const [, part] of [...parts].sort(([one], [other]) => one - other)) ended.push(await part.end())
    return ended
  } finally {
    await Promise.all([...parts.values()].map((part) => part.abandon()))
    await unlink(path)
  }
}

/** The external id of the conversation that a line belongs to. */
export const conversationOf = (line: { [member: string]: unknown }): string =>
  (line.type === 'message' ? line.conversation_external_id : line.external_id) as string

const excess = JSON.stringify([
  {
    pointer: null,
    code: 'too_large',
    detail: `is beyond the ${mostConversationBytes} bytes that the lines of one conversation may have together`,
  },
] satisfies ResultFault[])

/** Takes the lines out of a bucket that are too many for their conversations; a conversation keeps its own line. */
async function leaveOut(
  path: string,
  leave: (number: number) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const kept = new RecordFile(`${path}.kept`)
  const known = new Map<string, { bytes: number; hasLine: boolean }>()
  try {
    for await (const records of recordsOf(path)) {
      signal.throwIfAborted()
      for (const { number, text } of records) {
        const line = JSON.parse(text)
        const own = known.get(conversationOf(line)) ?? { bytes: 0, hasLine: false }
        known.set(conversationOf(line), own)
        const isFirst = line.type === 'conversation' && !own.hasLine
        const bytes = own.bytes + Buffer.byteLength(text)
        if (bytes > mostConversationBytes && !isFirst) {
          await leave(number)
          continue
        }
        Object.assign(own, { bytes, hasLine: own.hasLine || isFirst })
        await kept.add(number, text)
      }
    }
    await kept.end()
    await rename(kept.path, path)
  } finally {
    await kept.abandon()
  }
}

/** Files that are larger keep the order of their lines. */
const mostOrderedBytes = 8 * 1024 * 1024
/** No tree has so many levels. */
const mostLevels = 20

/** Puts each line behind the one that it refers to. */
async function parentsFirst(path: string, key: string): Promise<void> {
  if ((await stat(path)).size > mostOrderedBytes) return
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  const parents = new Map<string, string | null>()
  const ids = lines.map((line) => {
    const { external_id, [key]: parent } = JSON.parse(line.slice(line.indexOf('\t') + 1))
    if (!parents.has(external_id)) parents.set(external_id, typeof parent === 'string' ? parent : null)
    return external_id as string
  })
  if (parents.values().every((parent) => parent === null)) return
  const depthOf = (id: string): number => {
    let depth = 0
    for (let at = parents.get(id); at != null && depth < mostLevels; at = parents.get(at)) depth++
    return depth
  }
  const ordered = lines
    .map((line, i) => ({ line, i, depth: depthOf(ids[i]!) }))
    .sort((one, other) => one.depth - other.depth || one.i - other.i)
  await writeFile(path, ordered.map(({ line }) => `${line}\n`).join(''))
}

const recordOf = (line: string): Record => {
  const tab = line.indexOf('\t')
  return { number: Number(line.slice(0, tab)), text: line.slice(tab + 1) }
}

/** All records of a file, some at a time. */
export async function* recordsOf(path: string): AsyncGenerator<Record[]> {
  for (let from: number | null = 0; from !== null; ) {
    const records: PlacedRecord[] = await readRecords(path, from, 1_000)
    yield records
    from = records.at(-1)?.end ?? null
  }
}

const readBytes = 256 * 1024

/** At least one record from an offset on, and at most `most`; none at the end. */
export async function readRecords(path: string, from: number, most: number): Promise<PlacedRecord[]> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    let bytes: Buffer = Buffer.alloc(0)
    while (from + bytes.length < size && !bytes.includes(10)) {
      const piece = Buffer.alloc(readBytes)
      const { bytesRead } = await handle.read(piece, 0, readBytes, from + bytes.length)
      bytes = Buffer.concat([bytes, piece.subarray(0, bytesRead)])
    }
    const records: PlacedRecord[] = []
    let at = 0
    for (let end = bytes.indexOf(10); end !== -1 && records.length < most; end = bytes.indexOf(10, at)) {
      const next = from + end + 1
      records.push({ ...recordOf(bytes.toString('utf8', at, end)), end: next < size ? next : null })
      at = end + 1
    }
    return records
  } finally {
    await handle.close()
  }
}
