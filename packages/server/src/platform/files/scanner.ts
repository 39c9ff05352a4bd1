import type { Readable } from 'node:stream'

/** Looks for malware in the bytes of a file. */
export type Scanner = {
  /** @throws ScannerUnavailable if there is no verdict: the same call may succeed later */
  scan(bytes: Readable): Promise<Verdict>
  /** @throws ScannerUnavailable if the scanner does not answer */
  ping(): Promise<void>
}

/** `infected`: the name of what was found; null if the bytes are clean. */
export type Verdict = { infected: string | null }

/** The scanner is away, or gives no verdict. */
export class ScannerUnavailable extends Error {
  override name = 'ScannerUnavailable'
}
