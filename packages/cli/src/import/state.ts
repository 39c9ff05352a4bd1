import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { CommandError } from '../errors.ts'

/** Replaces the file in one step, so that a reader or a crash never finds half of it. */
export function writeState(file: string, state: object): void {
  const next = `${file}.new`
  const handle = openSync(next, 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(state, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(next, file)
}

/** Null if there is no file. @throws CommandError for one that is not JSON */
export function readState<State>(file: string): State | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandError('folder_not_usable', `cannot use ${file}: ${(error as Error).message}`, error)
  }
}

/** A file of lines that only grows. Its valid length is in a state that is written after the lines. */
export type Lines = {
  /** The length with all lines, those that are not on the disk included. */
  length: number
  append(value: object): void
  /** Writes all lines to the disk. */
  sync(): void
  close(): void
}

const bufferedBytes = 1 << 20

/** @param length the valid length: what follows is left from a run that was stopped */
export function openLines(file: string, length: number): Lines {
  const handle = openSync(file, 'a', 0o600)
  if (fstatSync(handle).size < length)
    throw new CommandError('folder_not_usable', `${file} is shorter than it was; start in another folder`)
  truncateSync(file, length)
  let waiting: string[] = []
  let waitingBytes = 0
  const write = () => {
    const bytes = Buffer.from(waiting.join(''))
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    waiting = []
    waitingBytes = 0
  }
  const lines: Lines = {
    length,
    append(value) {
      const line = `${JSON.stringify(value)}\n`
      waiting.push(line)
      const bytes = Buffer.byteLength(line)
      waitingBytes += bytes
      lines.length += bytes
      if (waitingBytes > bufferedBytes) write()
    },
    sync() {
      write()
      fsyncSync(handle)
    },
    close: () => closeSync(handle),
  }
  return lines
}
