import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'

/** Access to one environment of a server, stored by `login`. */
export type Profile = {
  url: string
  key: string
  /** The name of the workspace; null if the key may not read it. */
  workspace: string | null
  /** The secret with which `listen` signs; it stays when the key is replaced. */
  listen_secret: string
}

export type Profiles = {
  /** The profile of commands that name none; null if it was removed. */
  current: string | null
  profiles: Record<string, Profile>
}

const othersMayRead = 0o077

/**
 * The stored profiles, none if there is no file.
 * @throws CommandError if the file is not readable, not valid, or readable by other users
 */
export async function readProfiles(file: string): Promise<Profiles> {
  const text = await readPrivate(file)
  if (text === null) return { current: null, profiles: {} }
  try {
    const { current = null, profiles = {} } = JSON.parse(text) as Partial<Profiles>
    const all = Object.values(profiles)
    if (all.some(({ url, key }) => typeof url !== 'string' || typeof key !== 'string'))
      throw new Error('a profile has no url or key')
    return { current, profiles }
  } catch (error) {
    const message = `${file} does not contain profiles; correct it, or delete it and log in again`
    throw new CommandError('profiles_invalid', message, error)
  }
}

async function readPrivate(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & othersMayRead) !== 0) {
      const message = `${file} contains API keys and other users can access it; run: chmod 600 '${file}'`
      throw new CommandError('profiles_unsafe', message)
    }
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error instanceof CommandError ? error : notUsable(file, error)
  }
}

/** Replaces the file in one step, so that a reader or a crash never finds half of it. @throws CommandError */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  const next = `${file}.${process.pid}.new`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined)
    throw notUsable(file, error)
  }
}

const notUsable = (file: string, error: unknown) =>
  new CommandError('profiles_not_usable', `cannot use ${file}: ${(error as Error).message}`, error)
