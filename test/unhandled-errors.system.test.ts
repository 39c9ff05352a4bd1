import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  cleanUp,
  clusterOf,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* Errors that nothing handles, in a real process: a module that it imports plants them when it receives a signal. */

after(cleanUp)

const planted = join(temporaryDirectory(), 'planted.mjs')
writeFileSync(
  planted,
  `process.on('SIGUSR2', () => void Promise.reject(new Error('a planted rejection')))
process.on('SIGHUP', () => setImmediate(() => { throw new Error('a planted exception') }))
`,
)

const linesWith = (server: ServerProcess, text: string) =>
  server.stdout.split('\n').filter((line) => line.includes(text))

describe('an error that nothing handles', () => {
  const dataDir = temporaryDirectory()
  let server: ServerProcess
  let authorization: string

  test('as a rejection is logged once and counted, and the process goes on', async () => {
    server = await startServer({
      environment: { BACKLINE_DATA_DIR: dataDir, NODE_OPTIONS: `--import=${pathToFileURL(planted)}` },
    })
    authorization = `Bearer ${(await server.firstKeys()).test}`
    const count = async () =>
      /^backline_unhandled_rejections_total (\d+)$/m.exec(
        await (await fetch(`${server.url}/metrics`)).text(),
      )?.[1]
    assert.equal(await count(), '0')
    server.child.kill('SIGUSR2')
    await until('it is counted', async () => (await count()) === '1')
    const [line, ...others] = await until('it is logged', () => {
      const lines = linesWith(server, 'a planted rejection')
      return lines.length > 0 && lines
    })
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(JSON.parse(line!), { level: 50, err: { message: 'a planted rejection' } })
    const response = await fetch(`${server.url}/v1/conversations`, { headers: { authorization } })
    assert.equal(response.status, 200)
  })

  test('as an exception is logged once, and ends the process in order with exit code 1', async () => {
    const stream = await fetch(`${server.url}/v1/events/stream`, { headers: { authorization } })
    assert.equal(stream.status, 200)
    server.child.kill('SIGHUP')
    await stream.text().catch(() => undefined) // it ends
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    const [line, ...others] = linesWith(server, 'a planted exception')
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(JSON.parse(line!), { level: 60, err: { message: 'a planted exception' } })
    assert.equal(linesWith(server, '"msg":"stopped"').length, 1)
    assert.equal(existsSync(join(clusterOf(dataDir), 'postmaster.pid')), false)
  })
})
