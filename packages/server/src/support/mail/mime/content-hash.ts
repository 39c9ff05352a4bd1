import { createHash, type Hash } from 'node:crypto'
import { type Address, readAddresses } from './addresses.ts'
import type { Warning } from './charsets.ts'
import { maxHeaderBytes, type RawHeader, readHeaders } from './headers.ts'
import { readDate, readMessageIds } from './identifiers.ts'
import { decodeWords, toOneLine } from './words.ts'

/** The headers by which a request finds the mailbox, read before the mail is. */
export type Head = {
  messageId: string | null
  from: Address | null
  to: Address[]
  cc: Address[]
  deliveredTo: string[]
  xOriginalTo: string[]
  subject: string | null
  date: string | null
}

/**
 * @property sha256 of the bytes as they came
 * @property contentHash the same for copies of a mail whose line ends, last empty lines and other headers differ
 */
export type Fingerprint = { sha256: string; contentHash: string; sizeBytes: number; head: Head }

const identifying = ['message-id', 'from', 'date', 'subject']
const wanted = new Set([...identifying, 'to', 'cc', 'delivered-to', 'x-original-to'])

/** More headers of these names are not read, so that the event loop is not blocked. */
const maxHeaders = 1000

/** The maximum number of characters of which addresses are read, so that the event loop is not blocked. */
const maxCharacters = 8192

const lf = 0x0a
const cr = 0x0d
const lineFeeds = Buffer.alloc(4096, lf)

/** Hashes a mail while its bytes arrive, with a bounded amount of memory. */
export class ContentHash {
  #whole = createHash('sha256')
  #content = createHash('sha256')
  #body = openBody(this.#content)
  /** The first 256 KiB of the headers. */
  #start: Buffer[] = []
  #startBytes = 0
  #size = 0
  /** The empty line after the headers has not come. */
  #isInHeaders = true
  /** Nothing but a carriage return has come since the last line feed. */
  #isLineEmpty = true
  #headers: RawHeader[] = []
  /** The headers are all that precedes the empty line. */
  #isDivided = false

  write(chunk: Uint8Array): void {
    this.#whole.update(chunk)
    this.#size += chunk.length
    if (this.#isInHeaders) this.#writeHeaders(chunk)
    else this.#body.write(chunk)
  }

  end(): Fingerprint {
    if (this.#isInHeaders) this.#endHeaders()
    const sha256 = this.#whole.digest('hex')
    const isIdentified = this.#headers.some(({ name }) => /^(message-id|from)$/i.test(name))
    const contentHash = this.#isDivided && isIdentified ? this.#content.digest('hex') : sha256
    return { sha256, contentHash, sizeBytes: this.#size, head: readHead(this.#headers) }
  }

  /** Lines before the first header that are empty do not end the headers. */
  #writeHeaders(chunk: Uint8Array): void {
    let from = 0
    if (this.#startBytes === 0) while (chunk[from] === lf || chunk[from] === cr) from++
    const end = this.#endOfHeaders(chunk, from)
    const room = maxHeaderBytes - this.#startBytes
    if (room > 0)
      this.#start.push(Buffer.from(chunk.subarray(from, Math.min(end ?? chunk.length, from + room))))
    this.#startBytes += (end ?? chunk.length) - from
    if (this.#start.length >= 1024) this.#start = [Buffer.concat(this.#start)]
    if (end === null) return
    this.#endHeaders()
    this.#isInHeaders = false
    this.#body.write(chunk.subarray(end))
  }

  /** The index behind the empty line that ends the headers. */
  #endOfHeaders(chunk: Uint8Array, from: number): number | null {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === lf && this.#isLineEmpty) return at + 1
      this.#isLineEmpty = byte === lf || (byte === cr && this.#isLineEmpty)
    }
    return null
  }

  #endHeaders(): void {
    const start = Buffer.concat(this.#start)
    this.#start = []
    let count = 0
    const { headers, bodyStart } = readHeaders(start, (name) => wanted.has(name) && ++count <= maxHeaders)
    this.#headers = headers
    this.#isDivided = bodyStart === start.length && this.#isLineEmpty
    for (const name of identifying) {
      const values = headers.filter((header) => header.name.toLowerCase() === name)
      this.#content.update(`${JSON.stringify([name, ...values.map(({ value }) => value)])}\n`)
    }
  }
}

/** Passes a body on with line feeds as line breaks and without the line breaks at its end. */
function openBody(hash: Hash): { write(chunk: Uint8Array): void } {
  let pendingLines = 0
  let hasCarriageReturn = false
  const writeLines = () => {
    for (; pendingLines > 0; pendingLines -= Math.min(pendingLines, lineFeeds.length))
      hash.update(lineFeeds.subarray(0, Math.min(pendingLines, lineFeeds.length)))
  }
  return {
    write(chunk) {
      const target = new Uint8Array(chunk.length)
      let length = 0
      const flush = () => {
        if (length > 0) hash.update(target.subarray(0, length))
        length = 0
      }
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!
        if (byte === lf || byte === cr) {
          if (byte === cr || !hasCarriageReturn) pendingLines++
          hasCarriageReturn = byte === cr
          continue
        }
        hasCarriageReturn = false
        if (pendingLines === 1 && length > 0) target[length++] = lf
        else if (pendingLines > 0) {
          flush()
          writeLines()
        }
        pendingLines = 0
        target[length++] = byte
      }
      flush()
    },
  }
}

function readHead(headers: RawHeader[]): Head {
  const warnings = new Set<Warning>()
  const values = (name: string) =>
    headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)
  let left = maxCharacters
  const addresses = (name: string) => {
    const list = values(name).join(',').slice(0, left)
    left -= list.length
    return readAddresses(list, warnings)
  }
  const [subject] = values('subject')
  return {
    messageId: readMessageIds(values('message-id')[0]?.slice(0, maxCharacters) ?? '')[0] ?? null,
    from: addresses('from')[0] ?? null,
    deliveredTo: addresses('delivered-to').map(({ address }) => address),
    xOriginalTo: addresses('x-original-to').map(({ address }) => address),
    to: addresses('to'),
    cc: addresses('cc'),
    subject: subject === undefined ? null : toOneLine(decodeWords(subject.slice(0, maxCharacters), warnings)),
    date: readDate(values('date')[0] ?? ''),
  }
}
