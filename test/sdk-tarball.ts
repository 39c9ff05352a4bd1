import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository, temporaryDirectory } from './processes.ts'

const run = promisify(execFile)

/** Packs a copy of the SDK, because test files that run at the same time build it. @returns the tarball */
export async function packSdk(): Promise<string> {
  const copy = temporaryDirectory()
  const directory = join(copy, 'packages/sdk')
  mkdirSync(directory, { recursive: true })
  cpSync(join(repository, 'packages/sdk'), directory, {
    recursive: true,
    filter: (file) => !/\/(dist|node_modules)$/.test(file),
  })
  copyFileSync(join(repository, 'LICENSE'), join(copy, 'LICENSE'))
  const PATH = `${join(repository, 'node_modules/.bin')}:${process.env.PATH}`
  const { stdout } = await run('npm', ['pack', '--json'], {
    cwd: directory,
    env: { ...process.env, PATH },
  })
  return join(directory, JSON.parse(stdout)[0].filename)
}
