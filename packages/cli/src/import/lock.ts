import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../errors.ts'

const sqliteBusy = 5

/**
 * Keeps other processes out of the folder during the work. The kernel releases the lock when the process ends: Node has
 * no file locks, so SQLite's is used. @throws CommandError if another process has it
 */
export async function whileLocked<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive') // no journal file beside the lock
    return await work()
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new CommandError('folder_in_use', `another import uses ${folder}`, error)
  } finally {
    lock.close()
  }
}
