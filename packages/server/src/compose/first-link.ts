import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '@backline/embedded-postgres'
import type { Logger } from 'pino'
import { systemClock } from '../platform/kernel/clock.ts'
import type { Db } from '../platform/postgres/database.ts'
import { createLink, hasAdministrator, linkMinutes } from '../support/access/console/links.ts'
import { listWorkspaces } from '../support/admin/workspace/queries.ts'
import { linkUrl } from '../support/vocabulary/credentials.ts'
import type { Config } from './config.ts'
import { invocation } from './invocation.ts'

/*
 * The link of the first administrator, which each start makes until there is one. A terminal shows it. Anything else,
 * such as a pipe, may keep what it is given, so a file that only its owner can read receives it, like the first keys.
 */

/** The path of the file with the link. */
export const firstLinkFile = (dataDir: string): string => path.join(dataDir, 'console-link.txt')

/** Creates a link for the first workspace. Null if somebody administers that, and without a workspace. */
export async function firstLink(db: Db, publicUrl: string): Promise<string | null> {
  const workspaceId = await workspaceWithoutAdministrator(db)
  if (workspaceId === null) return null
  return linkUrl(publicUrl, await createLink(db, systemClock, { workspaceId, email: null }))
}

async function workspaceWithoutAdministrator(db: Db): Promise<string | null> {
  const [first] = await listWorkspaces(db)
  return first && !(await hasAdministrator(db, first.id)) ? first.id : null
}

/** Writes the link to the file. Without a place for it, there is no link. */
export async function writeFirstLink(
  db: Db,
  { dataDir, publicUrl }: Pick<Config, 'dataDir' | 'publicUrl'>,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const file = firstLinkFile(dataDir)
  if ((await workspaceWithoutAdministrator(db)) === null) {
    await rm(file, { force: true }).catch(() => undefined) // one of an earlier start, which has expired
    return
  }
  const draft = `${file}.${randomUUID()}`
  try {
    await makeDirectory(dataDir)
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${await firstLink(db, publicUrl)}\n`)
    } finally {
      await handle.close()
    }
    await rename(draft, file)
    log.info(
      { file },
      `console: the one-time link for the first administrator is in this file, valid for ${linkMinutes} minutes`,
    )
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    log.warn(
      `console: there is no place for the link of the first administrator (${(error as Error).message}); run: ${invocation} console link`,
    )
  }
}
