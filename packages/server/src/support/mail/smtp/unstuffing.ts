import type { PassThrough } from 'node:stream'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'

const [cr, lf, dot] = [0x0d, 0x0a, 0x2e] as const

/** Where the reading of a mail is. Bytes that may belong to its end are held back until it is clear. */
const within = 0
const afterCr = 1
const lineAfterCrlf = 2
const lineAfterLf = 3
const dotAfterCrlf = 4
const dotCrAfterCrlf = 5
const dotAfterLf = 6

/**
 * Reads the content that follows DATA: takes the dots off that the client added (RFC 5321, section 4.5.2). Only CR LF
 * dot CR LF ends it, so that no other line end smuggles commands.
 *
 * smtp-server itself passes each line that begins with a dot on alone, in a turn of the event loop: 25 MiB of such
 * lines take half a minute of processor time. The tests fail if a version changes the methods used here.
 */
export function unstuff(parser: SMTPStream): void {
  let state = lineAfterCrlf // the content begins with a line
  parser._feedDataStream = (piece, done) => {
    const plain = Buffer.allocUnsafe(piece.length + 2)
    let length = 0
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i]!
      if (state >= dotAfterCrlf) {
        if (state === dotCrAfterCrlf && byte === lf) {
          parser._countDataBytes(length)
          parser._endDataMode(plain.subarray(0, length), piece.subarray(i + 1), done)
          return
        }
        if (state === dotAfterCrlf && byte === cr) {
          state = dotCrAfterCrlf
          continue
        }
        plain[length++] = dot
        if (state === dotCrAfterCrlf) plain[length++] = cr
        const isStuffed = byte === dot && state !== dotCrAfterCrlf
        state = state === dotCrAfterCrlf ? afterCr : within
        if (isStuffed) continue
      }
      if (byte === dot && (state === lineAfterCrlf || state === lineAfterLf)) {
        state = state === lineAfterCrlf ? dotAfterCrlf : dotAfterLf
        continue
      }
      plain[length++] = byte
      state = byte === cr ? afterCr : byte !== lf ? within : state === afterCr ? lineAfterCrlf : lineAfterLf
    }
    parser._countDataBytes(length)
    pass(parser._dataStream!, plain.subarray(0, length), done)
  }
}

/** Waits while nobody reads. A stream that is gone takes nothing. */
function pass(to: PassThrough, bytes: Buffer, done: () => void): void {
  if (!to.writable || bytes.length === 0 || to.write(bytes)) {
    done()
    return
  }
  const goOn = () => {
    to.off('drain', goOn).off('close', goOn)
    done()
  }
  to.on('drain', goOn).on('close', goOn)
}
