import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Body, conversation } from '../desk.ts'
import { clientOf } from '../harness.ts'
import { conversationLine, messageLine, startImport } from '../imports.ts'
import { ended, run } from '../jobs.ts'
import { cleanUp, startServer, temporaryDirectory, until } from '../processes.ts'
import { fill, mountDisk } from './disks.ts'

/* Jobs while the disk of temporary files is full, or that of the store of files. */

const sizeMb = 8

after(cleanUp)

const lines = Array.from({ length: 40 }, (_, i) => [
  conversationLine(`c${i}`),
  messageLine(`m${i}`, `c${i}`, { body: 'x'.repeat(1_000) }),
]).flat()
const sourceBytes = lines.reduce((sum, line) => sum + Buffer.byteLength(`${JSON.stringify(line)}\n`), 0)

test('jobs without room for their files fail with disk_full, and succeed when there is room', async (t) => {
  const [temporary, store] = [mountDisk(t, sizeMb), mountDisk(t, sizeMb)]
  if (!temporary || !store) return
  const server = await startServer({
    environment: { BACKLINE_DATA_DIR: temporaryDirectory(), TMPDIR: temporary, BACKLINE_FILES_DIR: store },
  })
  const client = clientOf(server.url, (await server.firstKeys()).test)
  const { end_user_id: person } = await conversation(client, { message: { body: 'Hello' } })
  const imported = async (): Promise<Body> => ended(client, await startImport(server, client, lines))
  const exports: [name: string, () => Promise<Body>][] = [
    ['an export', () => run(client, '/v1/exports', {})],
    ["an export of a person's data", () => run(client, `/v1/end_users/${person}/export`, {})],
  ]
  const all = [...exports, ['an import', imported] as const]
  const nothingIsLeft = () =>
    until(
      'no temporary files are left',
      () => !readdirSync(temporary).some((name) => name.startsWith('backline-job-')),
    )

  // The store deletes the source of an import in the background: room that a full disk must not get later.
  const sourcesAreDeleted = () =>
    until('the store has deleted the sources of imports', () =>
      readdirSync(store, { recursive: true, encoding: 'utf8' }).every(
        (name) => statSync(join(store, name), { throwIfNoEntry: false })?.size !== sourceBytes,
      ),
    )

  async function fail(jobs: readonly (readonly [string, () => Promise<Body>])[], full: RegExp) {
    for (const [name, job] of jobs) {
      const { status, error } = await job()
      assert.deepEqual([status, error?.code], ['failed', 'disk_full'], name)
      assert.match(error.detail, full)
    }
    await nothingIsLeft()
    await conversation(client) // the server goes on
  }
  async function succeed() {
    for (const [name, job] of all) assert.equal((await job()).status, 'succeeded', name)
    await nothingIsLeft()
  }

  await t.test('no temporary files', async () => {
    const ballast = join(temporary, 'ballast')
    fill(ballast)
    await fail(all, /TMPDIR/)
    rmSync(ballast)
    await succeed()
  })

  await t.test('room for some lines of an import', async () => {
    const [ballast, room] = [join(temporary, 'ballast'), join(temporary, 'room')]
    writeFileSync(room, Buffer.alloc(16 * 1024))
    fill(ballast)
    rmSync(room)
    await fail([['an import', imported]], /TMPDIR/)
    rmSync(ballast)
  })

  await t.test('no room in the store', async () => {
    await sourcesAreDeleted()
    const ballast = join(store, 'ballast')
    fill(ballast)
    await fail(exports, /BACKLINE_FILES_DIR/)
    rmSync(ballast)
    await succeed()
  })
  await server.stop()
})
