import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../processes.ts'

/* Small disks, which tests fill. Only root may mount one. */

/** Returns null, and reports the reason, if this user may not mount. */
export function mountDisk(t: TestContext, sizeMb: number): string | null {
  const directory = join(temporaryDirectory(), 'disk')
  mkdirSync(directory)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=1777`, 'backline-test', directory], {
      stdio: 'pipe',
    })
  } catch (error) {
    t.skip(`no disk of its own can be mounted: ${(error as Error).message.trim()}`)
    return null
  }
  t.after(() => execFileSync('umount', ['--lazy', directory]))
  return directory
}

/** Fills all free space. */
export function fill(file: string): void {
  const fd = openSync(file, 'a')
  try {
    for (let bytes = 1024 * 1024; bytes >= 512; ) {
      try {
        writeSync(fd, Buffer.alloc(bytes, 1))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes /= 2
      }
    }
  } finally {
    closeSync(fd)
  }
}
