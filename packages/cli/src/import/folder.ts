import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../errors.ts'
import { openKnown } from './known.ts'
import type { Cursor, Line, Reason } from './source.ts'
import { openLines, readState, writeState } from './state.ts'

export type Loss = { source_type: string; source_id: string; reason: Reason; detail: string }

/** `cursor.json`: what is fetched, and the lengths up to which the files of the folder are valid. */
export type FetchState = {
  source: string
  /** The address of the account, and the options that decide about its lines. */
  account: string
  options: { since: string | null; own_ids: boolean }
  /** The stage that is under way, and the cursors of all. */
  stage: number
  cursors: Record<string, Cursor>
  /** How often lines were committed. */
  page: number
  lines: number
  losses: number
  /** Lines by type and losses by reason. */
  counts: Record<string, number>
  lost: Record<string, number>
}

export type Folder = {
  path: string
  state: FetchState
  /** Appends the line, unless the last line of this object is the same. */
  write(line: Line): void
  lose(loss: Loss): void
  remember(key: string, value: string): void
  recall(key: string): string | null
  has(type: string, externalId: string): boolean
  /** Keeps all that was written so far, together with the cursor. */
  commit(stage: string, cursor: Cursor): void
  /** Continues with this stage. */
  enter(stage: number): void
  close(): void
}

export const fileNames = {
  cursor: 'cursor.json',
  known: 'known.sqlite',
  lines: 'lines.ndjson',
  losses: 'losses.ndjson',
  files: 'files',
} as const

const othersMayEnter = 0o077

/** Creates the folder if it is missing. @throws CommandError if other users can read it */
export function prepareFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && (statSync(path).mode & othersMayEnter) !== 0) {
    const message = `${path} will contain what your customers wrote and other users can access it; run: chmod 700 '${path}'`
    throw new CommandError('folder_unsafe', message)
  }
}

export const readFetchState = (path: string): FetchState | null =>
  readState<FetchState>(join(path, fileNames.cursor))

type Identity = Pick<FetchState, 'source' | 'account' | 'options'>

/** Opens a folder, or begins one, at its last commit. @throws CommandError for one of another account */
export function openFolder(path: string, identity: Identity): Folder {
  prepareFolder(path)
  mkdirSync(join(path, fileNames.files), { recursive: true, mode: 0o700 })
  const stored = readFetchState(path)
  if (!stored && existsSync(join(path, fileNames.lines)) && statSync(join(path, fileNames.lines)).size > 0)
    throw new CommandError(
      'folder_not_usable',
      `${path} has lines and no ${fileNames.cursor}; use another folder`,
    )
  const state = stored ?? {
    ...identity,
    stage: 0,
    cursors: {},
    page: 0,
    lines: 0,
    losses: 0,
    counts: {},
    lost: {},
  }
  refuseOthers(path, state, identity)
  removeParts(join(path, fileNames.files))
  const known = openKnown(join(path, fileNames.known), state.page)
  const lines = openLines(join(path, fileNames.lines), state.lines)
  const losses = openLines(join(path, fileNames.losses), state.losses)
  const count = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const isNew = (key: string, value: string): boolean => {
    if (known.get(key) === value) return false
    known.set(key, value, state.page + 1)
    return true
  }
  const save = () => writeState(join(path, fileNames.cursor), state)
  return {
    path,
    state,
    write(line) {
      if (!isNew(keyOf(line.type, line.external_id), digestOf(line))) return
      lines.append(line)
      count(state.counts, line.type)
    },
    lose(loss) {
      const { source_type, source_id, reason, detail } = loss
      if (!isNew(`lost ${source_type} ${source_id} ${reason} ${detail}`, '')) return
      losses.append(loss)
      count(state.lost, reason)
    },
    remember: (key, value) => void isNew(key, value),
    recall: (key) => known.get(key),
    has: (type, externalId) => known.get(keyOf(type, externalId)) !== null,
    commit(stage, cursor) {
      lines.sync()
      losses.sync()
      known.commit()
      Object.assign(state, { page: state.page + 1, lines: lines.length, losses: losses.length })
      state.cursors[stage] = cursor
      save()
    },
    enter(stage) {
      state.stage = stage
      save()
    },
    close() {
      for (const each of [lines, losses, known]) each.close()
    },
  }
}

const keyOf = (type: string, externalId: string) => `line ${type} ${externalId}`

function refuseOthers(path: string, { source, account, options }: FetchState, given: Identity): void {
  if (source !== given.source || account !== given.account)
    throw new CommandError(
      'folder_of_another',
      `${path} is a copy of ${source} at ${account}; use another --folder`,
    )
  if (options.since !== given.options.since || options.own_ids !== given.options.own_ids)
    throw new CommandError(
      'folder_of_another',
      `${path} was begun ${options.since === null ? 'without --since' : `with --since ${options.since}`} and ${
        options.own_ids ? 'with' : 'without'
      } --own-ids; give the same options, or use another --folder`,
    )
}

/** Removes the beginnings of files that a stopped run has left. */
function removeParts(files: string): void {
  for (const entry of readdirSync(files, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.part')) rmSync(join(entry.parentPath, entry.name))
}

const digestOf = (line: Line): string =>
  createHash('sha256').update(JSON.stringify(line)).digest('base64').slice(0, 22)
