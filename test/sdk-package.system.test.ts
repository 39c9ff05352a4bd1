import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server, request as sendTo } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import { browser, chromium } from './chromium.ts'
import { service } from './harness.ts'
import { cleanUp, freePort, launch, repository, temporaryDirectory, until } from './processes.ts'
import { packSdk } from './sdk-tarball.ts'

/*
 * Packs the SDK, installs it into a project of its own (test/sdk-package), and uses it there: with several versions of
 * TypeScript, of Node, and in a browser.
 */

const api = service({
  works: true,
  environment: { BACKLINE_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
const project = temporaryDirectory()
const run = promisify(execFile)

/** The result of `program.ts`. */
const expected = {
  priority: 'high',
  etag: '"2"',
  listed: true,
  found: true,
  conflict: 'invalid_transition',
  invalid: 'validation_failed /external_user_id',
  alsoInvalid: 'validation_failed /priority',
  event: 'conversation.closed closed',
  file: 'numbers.csv ready 1,2,3\n',
  webhook: 'signature_invalid',
}

let tarball: string

before(async () => {
  tarball = await packSdk()
  cpSync(join(repository, 'test/sdk-package'), project, { recursive: true })
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await run('npm', ['ci', ...quietly], { cwd: project })
  await run('npm', ['install', '--no-save', ...quietly, tarball], { cwd: project })
})
after(cleanUp)

test('the package has JavaScript, declarations, README and licence, and no sources', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.trim().split('\n')
  for (const file of ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'])
    assert.ok(files.includes(`package/${file}`), file)
  assert.deepEqual(
    files.filter((file) => /(?<!\.d)\.ts$|test/.test(file)),
    [],
  )
  assert.ok(statSync(tarball).size < 200_000, `${statSync(tarball).size} bytes`)
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@backline/sdk/package.json'), 'utf8'))
  assert.deepEqual(
    [manifest.private, manifest.dependencies, manifest.engines.node],
    [undefined, undefined, '>=20'],
  )
})

test('every method has the documentation of its operation', () => {
  const declarations = readFileSync(
    join(project, 'node_modules/@backline/sdk/dist/resources.generated.d.ts'),
    'utf8',
  )
  const documented = declarations.match(/^ {5}\* `(GET|POST|PUT|PATCH|DELETE) \/.*`\n {5}\*\/\n {4}\w+\(/gm)
  const methods = declarations.match(/^ {4}\w+\(.*\): (Reply|ListReply|LineStream|EventStream)\b/gm)
  assert.ok(methods!.length > 100)
  assert.equal(documented?.length, methods!.length)
})

const kindsOfProjects = {
  'for Node, without types of browsers': {
    flags: ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2022', '--types', 'node'],
    sources: ['program.ts', 'common.cts', '--outDir', 'out'],
  },
  'for a bundler, without types of Node': {
    flags: ['--module', 'esnext', '--moduleResolution', 'bundler', '--typeRoots', './none'],
    sources: ['program.ts', '--noEmit'],
  },
}

describe('strict projects compile', { concurrency: 2 }, () => {
  for (const [version, folder] of [
    [5, 'typescript'],
    [6, 'typescript6'],
    [7, 'typescript7'],
  ] as const) {
    for (const [kind, { flags, sources }] of Object.entries(kindsOfProjects)) {
      test(`with TypeScript ${version}, ${kind}`, async () => {
        const strict = [
          '--strict',
          '--exactOptionalPropertyTypes',
          '--skipLibCheck',
          'false',
          '--skipDefaultLibCheck',
          '--target',
          'es2022',
        ]
        const tsc = join(project, `node_modules/${folder}/bin/tsc`)
        const args = [tsc, ...strict, ...flags, ...sources]
        await run(process.execPath, args, { cwd: project }).catch(({ stdout }) => assert.fail(stdout))
      })
    }
  }
})

describe('it runs', () => {
  const installed = (name: string) => join(project, 'node_modules', name, 'bin/node')
  for (const [version, program] of [
    ['20', installed('node20')],
    ['22', installed('node22')],
    [process.versions.node.split('.')[0]!, process.execPath],
  ] as const) {
    test(`on Node ${version}, as an ES module and as CommonJS`, async (t) => {
      if (!existsSync(program)) return t.skip(`npm has no Node ${version} for this platform`)
      const { test: client } = await api.world()
      const options = JSON.stringify({ apiKey: client.key, baseUrl: api.url })
      const code = `import('./out/program.js').then(async ({ run }) => {
        require('./out/common.cjs').conversations.list
        console.log(process.versions.node, JSON.stringify(await run(${options})))
      })`
      const { stdout, stderr } = await run(program, ['--input-type=commonjs', '-e', code], { cwd: project })
      const [, major, result] = /^(\d+)\.\S+ (.*)$/s.exec(stdout)!
      assert.equal(major, version)
      assert.deepEqual(JSON.parse(result!), expected)
      assert.doesNotMatch(stderr, /error/i)
    })
  }

  test('in a browser, as a bundle', async (t) => {
    if (!chromium) return t.skip('Chromium is not installed: apt-get install chromium')
    const { test: client } = await api.world()
    const site = await serveSite(await bundle())
    t.after(() => site.close())
    const page = await (await browser()).newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as { port: number }).port}/`)
    const call = (options: object): Promise<unknown> =>
      page.evaluate(`sdk.run({ baseUrl: location.origin, ...${JSON.stringify(options)} })`)
    await assert.rejects(call({ apiKey: client.key }), /A browser must not have a secret key/)
    assert.deepEqual(await call({ apiKey: client.key, dangerouslyAllowBrowser: true }), expected)
  })
})

test('its types are those that openapi-typescript generates from the document', async () => {
  const document = join(repository, 'openapi/v1.json')
  const generator = join(project, 'node_modules/openapi-typescript/bin/cli.js')
  const flags = ['--output', 'document.ts', '--default-non-nullable=false']
  await run(process.execPath, [generator, document, ...flags], { cwd: project })
  const { components } = JSON.parse(readFileSync(document, 'utf8'))
  // The SDK has a union of all event types where the document has the base of all events.
  const others = /^Event(List|Feed)?$|Event$/
  // It has the type of a tree where the document has any object.
  const withFilter = new Set(['Filter', 'FilterInput'])
  for (let known = 0; known < withFilter.size; ) {
    known = withFilter.size
    for (const [name, schema] of Object.entries(components.schemas))
      if ([...withFilter].some((each) => JSON.stringify(schema).includes(`schemas/${each}"`)))
        withFilter.add(name)
  }
  const names = Object.keys(components.schemas).filter((name) => !others.test(name) && !withFilter.has(name))
  const program = `import type { components } from './document.ts'
import type * as sdk from '@backline/sdk'
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
${names.map((name) => `export const ${name}: Same<components['schemas']['${name}'], sdk.${name}> = true`).join('\n')}\n`
  writeFileSync(join(project, 'same.ts'), program)
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--types',
    'node',
  ]
  const tsc = join(project, 'node_modules/typescript7/bin/tsc')
  await run(process.execPath, [tsc, ...strict, 'same.ts'], { cwd: project }).catch(({ stdout }) =>
    assert.fail(stdout),
  )
  assert.ok(names.length > 100)
})

describe('its README', () => {
  /** The programs of the README: each is named by the heading above it. */
  const programs = () => {
    const readme = readFileSync(join(project, 'node_modules/@backline/sdk/README.md'), 'utf8')
    return [...readme.matchAll(/^## (\w+)$|^```ts\n(.*?)^```$/gms)].flatMap(([, , text], i, found) => {
      if (text === undefined) return []
      const heading = found.slice(0, i).findLast(([, name]) => name)![1]!
      const file = `readme-${heading.toLowerCase()}.ts`
      writeFileSync(join(project, file), text)
      return [file]
    })
  }
  const start = (file: string, environment: Record<string, string>) =>
    launch({ command: [process.execPath, file], directory: project, environment })

  test('has programs that compile', async () => {
    const tsc = join(project, 'node_modules/typescript7/bin/tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    await run(process.execPath, [tsc, ...flags, ...programs()], { cwd: project }).catch(({ stdout }) =>
      assert.fail(stdout),
    )
  })

  test('uploads and downloads a file', async () => {
    programs()
    const { test: client } = await api.world()
    setPublicUrl(api.url) // uploads have absolute URLs
    const bytes = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n%%EOF\n')
    writeFileSync(join(project, 'receipt.pdf'), bytes)
    const running = start('readme-files.ts', { BACKLINE_API_KEY: client.key, BACKLINE_URL: api.url })
    assert.equal((await running.ended()).code, 0, running.output)
    assert.match(running.stdout, /conv_\w+ ready application\/pdf/)
    assert.deepEqual(readFileSync(join(project, 'copy.pdf')), bytes)
  })

  test('makes requests, streams events and receives webhooks', async () => {
    programs()
    const { test: client } = await api.world()
    const environment = { BACKLINE_API_KEY: client.key, BACKLINE_URL: api.url }
    // Without a stored position, the stream has only events of its own time.
    const streaming = start('readme-events.ts', environment)
    await until('the stream has an event', async () => {
      await client.post('/v1/conversations', { external_user_id: 'user_1', subject: 'Hello' })
      return /conversation: Hello/.test(streaming.stdout)
    })

    const requesting = start('readme-requests.ts', environment)
    assert.equal((await requesting.ended()).code, 0, requesting.output)
    assert.match(requesting.stdout, /conv_\w+ Card declined\n(.*\n)*Reopening is not possible from new/)
    await until('the stream has the message', () =>
      /message: My card was declined twice/.test(streaming.stdout),
    )

    const PORT = String(await freePort())
    const url = `http://127.0.0.1:${PORT}/`
    const endpoint = await client.post('/v1/webhook_endpoints', {
      url,
      enabled_events: ['conversation.resolved'],
    })
    const receiving = start('readme-webhooks.ts', { WEBHOOK_SECRET: endpoint.body.secret, PORT })
    const forged = () => fetch(url, { method: 'POST', headers: { 'webhook-id': 'evt_1' }, body: '{}' })
    const { status } = await until('the receiver listens', () => forged().catch(() => null))
    assert.equal(status, 400)
    const { body } = await client.post('/v1/conversations', { external_user_id: 'user_42' })
    await client.post(`/v1/conversations/${body.id}/resolve`)
    await until('the webhook is received', () => /Ask for feedback: user_42/.test(receiving.stdout))
  })
})

async function bundle(): Promise<string> {
  const esbuild = join(project, 'node_modules/.bin/esbuild')
  const flags = ['--bundle', '--format=iife', '--global-name=sdk', '--outfile=bundle.js']
  await run(esbuild, ['program.ts', ...flags], { cwd: project })
  return readFileSync(join(project, 'bundle.js'), 'utf8')
}

/** A page with the bundle, and the API below the same origin: the API does not answer pages of other origins. */
async function serveSite(script: string): Promise<Server> {
  const site = createServer((request, response) => {
    if (!request.url!.startsWith('/v1/')) {
      const [type, text] =
        request.url === '/bundle.js' ? ['javascript', script] : ['html', '<script src="/bundle.js"></script>']
      response.writeHead(200, { 'content-type': `text/${type}; charset=utf-8` }).end(text)
      return
    }
    const { method, headers } = request
    const forwarded = sendTo(api.url + request.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
    response.on('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return site
}
