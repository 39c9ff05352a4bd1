import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { expectations, run } from './command-line.ts'
import { cleanUp, freePort, launch } from './processes.ts'

/* The version of the command line, and what it loads. */

const { succeed, json } = expectations(run)

after(cleanUp)

describe('the command line', { concurrency: 1 }, () => {
  const main = 'packages/cli/src/main.ts'

  test('says its version, which is that of the packages', async () => {
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'))
    for (const args of [['--version'], ['-V'], ['version'], ['keys', 'list', '--version']])
      assert.equal(await succeed({}, ...args), `backline ${version}\n`)
    assert.equal((await json({}, '--version')).version, version)
    assert.equal(JSON.parse(readFileSync('packages/server/package.json', 'utf8')).version, version)
  })

  test('commands that call the API start without the server', async () => {
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ load(url, context, next) { console.error('loaded ' + url); return next(url, context) } })`
    const program = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(hooks)}`, main]
    const leaves =
      /\/packages\/server\/src\/(compose\/(?:invocation|reason)|platform\/postgres\/errors|platform\/kernel\/[\w-]+|support\/vocabulary\/credentials|\w+\/[\w/-]+\/(signature|body))\.ts$/
    const packages = /\/node_modules\/commander\//
    const environment = {
      BACKLINE_URL: `http://127.0.0.1:${await freePort()}`,
      BACKLINE_API_KEY: newKeySecret('test'),
      XDG_CONFIG_HOME: '/nonexistent',
    }
    for (const args of [
      'api get tags',
      'demo',
      'trigger tag.created',
      'listen --forward-to http://127.0.0.1:1',
    ]) {
      const command = launch({ environment, command: [program[0]!, ...program.slice(1), ...args.split(' ')] })
      assert.equal((await command.ended()).code, 1)
      const loaded = [...command.stderr.matchAll(/^loaded file:\/\/(.*)$/gm)].map(([, file]) => file!)
      assert.ok(loaded.length > 10)
      const others = loaded.filter(
        (file) => !/\/packages\/(cli|demo|sdk)\//.test(file) && !leaves.test(file) && !packages.test(file),
      )
      assert.deepEqual(others, [], args)
    }
  })
})
