import { type Readable, Transform } from 'node:stream'

/** A refusal of a command or a mail: the reply code with its enhanced status code (RFC 3463), and a text. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly code: string

  constructor(code: `${4 | 5}${number} ${4 | 5}.${number}.${number}`, text: string) {
    super(text)
    this.code = code
  }
}

/** A mail that was stored for some of its recipients. For each of the others there is a reason, as for a rejection. */
export class TakenInPart extends Error {
  override name = 'TakenInPart'
  readonly failures: ReadonlyMap<object, unknown>

  constructor(failures: ReadonlyMap<object, unknown>) {
    super('The mail was not stored for all recipients')
    this.failures = failures
  }
}

/**
 * Returns the bytes of a mail as they arrive. They end where the mail does, and fail if it is empty or larger than
 * `maxBytes`, or if the client goes away before its end. The rest of a mail that nobody reads is thrown away.
 */
export function bytesOfMail(received: Readable, maxBytes: number): Readable {
  let size = 0
  const bytes = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      if (size > maxBytes) done(new MailRefused('552 5.3.4', `the mail is larger than ${maxBytes} bytes`))
      else done(null, piece)
    },
    flush(done) {
      done(size === 0 ? new MailRefused('554 5.6.0', 'the mail is empty') : null)
    },
  })
  received.on('error', () => undefined)
  received.on('close', () => {
    if (!received.readableEnded) bytes.destroy(new MailRefused('451 4.4.2', 'the client went away'))
  })
  bytes.on('error', () => undefined)
  bytes.on('close', () => {
    received.unpipe(bytes)
    received.resume()
  })
  return received.pipe(bytes)
}

/** Passes a mail on. @throws unless all of it was read and is stored */
export async function takeWhole(
  bytes: Readable,
  take: (bytes: Readable) => Promise<'stored'>,
): Promise<void> {
  try {
    await take(bytes)
    if (!bytes.readableEnded) throw new Error('the mail was not read to its end')
  } catch (error) {
    // The reason why bytes ended early says more than what became of that.
    throw bytes.errored ?? error
  } finally {
    bytes.destroy()
  }
}
