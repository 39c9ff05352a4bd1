import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { plain } from '@backline/server/compose/optimizations.ts'
import { repository } from './processes.ts'

/* Runs the suites that optimizations affect, each time without one of them, and on the shard of a cluster. */

describe('with one part of the server replaced', () => {
  for (const name of Object.keys(plain))
    test(`everything is as it was: without ${name}`, () => passesWith({ BACKLINE_TEST_WITHOUT: name }))

  test('everything is as it was: statements go to the tables of a shard', () =>
    passesWith({ BACKLINE_TEST_ONE_SHARD: '1' }))
})

async function passesWith(variables: Record<string, string>): Promise<void> {
  // A run of its own on the same PostgreSQL, in short form.
  const { NODE_TEST_CONTEXT: _, BACKLINE_THOROUGH: __, ...environment } = process.env
  const run = spawn(process.execPath, ['--test', join(import.meta.dirname, 'optimized.ts')], {
    cwd: repository,
    env: { ...environment, ...variables },
  })
  const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'exit'), text(run.stderr)])
  assert.equal(code, 0, output.slice(output.lastIndexOf('failing tests')))
  assert.match(output, /pass [1-9]\d\d/)
}
