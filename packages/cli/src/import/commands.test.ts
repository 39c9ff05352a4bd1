import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { run } from '../main.ts'
import { type Recorded, serve, temporaryFolder } from './recorded.test-fixtures.ts'
import { backline } from './send/backline.test-fixtures.ts'

/* The commands, from a Chatwoot to a Backline; send.test.ts and those of the vendors have the details. */

const token = 'chatwoot-secret'

async function chatwoot(t: TestContext) {
  const sender = { id: 40, type: 'contact', name: 'Carl' }
  const message = { id: 1, content: 'Hello', message_type: 0, created_at: 1_704_445_200, sender }
  const conversation = { id: 1, inbox_id: 3, status: 'open', created_at: 1_704_445_200, meta: { sender } }
  const server = await serve(t, ({ path, query, headers }) => {
    if (headers.api_access_token !== token) return { status: 401, body: {} }
    const name = path.replace('/api/v1/accounts/9/', '')
    const isFirst = !query.has('before') && (query.get('page') ?? '1') === '1'
    const pages: Recorded = {
      contacts: [sender],
      conversations: [conversation],
      'conversations/1/messages': [message],
      inboxes: [{ id: 3, name: 'Mail' }],
    }
    const payload = isFirst ? (pages[name] ?? []) : []
    return { body: name === 'conversations' ? { data: { payload } } : { payload } }
  })
  return { ...server, args: ['import', 'chatwoot', '--from', server.url, '--account', '9'] }
}

async function ran(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const { exitCode, stream, text } = (await run(args, environment))!
  return { exitCode, stream, text }
}

describe('import chatwoot', () => {
  test('fetches and sends, shows counts, and says nothing of the credentials', async (t) => {
    const [source, server, folder] = [await chatwoot(t), await backline(t), temporaryFolder(t)]
    const environment = { ...server.environment, CHATWOOT_API_TOKEN: token }
    const { text, exitCode } = await ran(environment, ...source.args, '--folder', folder)
    assert.equal(exitCode, 0, text)
    assert.equal(
      text,
      `From Chatwoot, in ${folder}:
  department    1
  end_user      1
  conversation  1
  message       1
Nothing was lost.
Sent to ${server.url}: 4 lines in 1 part, 0 failed
  job_1 succeeded`,
    )
    for (const name of ['cursor.json', 'lines.ndjson'])
      assert.ok(!readFileSync(join(folder, name), 'utf8').includes(token))
    const again = await ran(environment, ...source.args, '--folder', folder, '--json')
    assert.partialDeepStrictEqual(JSON.parse(again.text), {
      object: 'import',
      source: 'chatwoot',
      fetched: { conversation: 1 },
      lost: {},
      sent: { parts: 1, lines: 4, failed: 0, refused_files: 0 },
      jobs: [],
    })
    assert.equal(server.imports.length, 1)
  })

  test('with --fetch-only needs no API key, and --send-only no credentials', async (t) => {
    const [source, server, folder] = [await chatwoot(t), await backline(t), temporaryFolder(t)]
    const nowhere = { XDG_CONFIG_HOME: '/nonexistent', CHATWOOT_API_TOKEN: token }
    assert.equal((await ran(nowhere, ...source.args, '--folder', folder, '--fetch-only')).exitCode, 0)
    assert.equal(
      (await ran(server.environment, ...source.args, '--folder', folder, '--send-only')).exitCode,
      0,
    )
    assert.equal(server.imports.length, 1)
  })

  test('with --dry-run shows what would come and what the server says, and imports nothing', async (t) => {
    const failed = [
      {
        line: 2,
        status: 'failed',
        errors: [{ pointer: '/name', code: 'blank', detail: 'must not be blank' }],
      },
    ]
    const [source, server] = [await chatwoot(t), await backline(t, { end: () => ({ failed }) })]
    const environment = { ...server.environment, CHATWOOT_API_TOKEN: token }
    const { text, exitCode } = await ran(
      environment,
      ...source.args,
      '--folder',
      temporaryFolder(t),
      '--dry-run',
    )
    assert.equal(exitCode, 0)
    assert.match(text, /A dry run at .*: 4 lines, 1 would fail\n {2}department {4}1\n/)
    assert.match(text, /\n {2}line 2: \/name must not be blank\nNothing was stored/)
    assert.deepEqual(
      server.imports.map(({ body }) => body.dry_run),
      [true],
    )
  })

  test('says in a line what is wrong', async (t) => {
    const [source, server, folder] = [await chatwoot(t), await backline(t), temporaryFolder(t)]
    const environment = { ...server.environment, CHATWOOT_API_TOKEN: 'wrong' }
    const cases: [exitCode: number, message: RegExp, ...args: string[]][] = [
      [1, /Chatwoot answered 401 .*: the credentials are not valid/, ...source.args, '--folder', folder],
      [
        1,
        /has nothing from Chatwoot; run without --send-only/,
        ...source.args,
        '--folder',
        folder,
        '--send-only',
      ],
      [2, /--account must be a number, not "x"/, 'import', 'chatwoot', '--account', 'x'],
      [2, /--fetch-only and --dry-run exclude each other/, ...source.args, '--fetch-only', '--dry-run'],
      [
        2,
        /--since must be a date or a time with its zone, not "yesterday"/,
        ...source.args,
        '--since',
        'yesterday',
      ],
      [2, /--subdomain must be the first part of the address/, 'import', 'zendesk', '--subdomain', 'a.b'],
      [2, /--subdomain is required/, 'import', 'freshdesk'],
    ]
    for (const [exitCode, message, ...args] of cases) {
      const result = await ran(environment, ...args)
      assert.match(result.text, message)
      assert.equal(result.exitCode, exitCode)
    }
    const other = { ...environment, BACKLINE_API_KEY: `${server.environment.BACKLINE_API_KEY.slice(0, -1)}` }
    assert.match((await ran(other, ...source.args)).text, /BACKLINE_API_KEY must be a complete API key/)
  })
})

describe('import ndjson', () => {
  test('sends a file with the attachments beside it', async (t) => {
    const [server, folder, state] = [await backline(t), temporaryFolder(t), temporaryFolder(t)]
    const file = join(folder, 'export.ndjson')
    const attachments = [{ path: 'a.txt', filename: 'a.txt' }]
    const message = {
      type: 'message',
      external_id: 'm',
      conversation_external_id: 'c',
      body: 'x',
      attachments,
    }
    writeFileSync(file, `{"type":"conversation","external_id":"c"}\n${JSON.stringify(message)}\n`)
    writeFileSync(join(folder, 'a.txt'), 'A')
    const args = ['import', 'ndjson', file, '--source', 'own', '--folder', state]
    const { text, exitCode } = await ran(server.environment, ...args)
    assert.equal(exitCode, 0, text)
    assert.match(text, /^Sent to .*: 2 lines in 1 part, 0 failed\n/)
    assert.match(server.imports[0]!.lines[1].attachments[0].file_id, /^file_/)
    assert.equal(server.imports[0]!.body.source, 'own')
    assert.match((await ran(server.environment, ...args)).text, /^Nothing new to send/)
  })

  test('refuses a file that is not there, and a source that is no name', async (t) => {
    const { environment } = await backline(t)
    assert.match(
      (await ran(environment, 'import', 'ndjson', '/none', '--source', 'a')).text,
      /\/none does not exist/,
    )
    assert.match(
      (await ran(environment, 'import', 'ndjson', '/none', '--source', 'A b')).text,
      /--source must be 1 to 50/,
    )
    assert.ok(!existsSync('backline-import-a'))
  })
})

describe('jobs watch', () => {
  const job = (status: string, more: object = {}) => ({
    id: 'job_1',
    object: 'job',
    type: 'import',
    status,
    progress: { done: 12, total: 12, failed: 0 },
    dry_run: false,
    result: null,
    error: null,
    ...more,
  })
  const watched = async (t: TestContext, answer: Recorded, failed: Recorded[] = []) => {
    const { environment } = await backline(t, {
      first: ({ path }) => {
        if (path === '/v1/jobs/job_1') return { body: answer }
        return path === '/v1/jobs/job_1/results' ? { body: { data: failed, has_more: false } } : null
      },
    })
    return ran(environment, 'jobs', 'watch', 'job_1')
  }

  test('ends with the status of the job, and the code tells whether it failed', async (t) => {
    const succeeded = await watched(t, job('succeeded'))
    assert.deepEqual(succeeded, {
      exitCode: 0,
      stream: 'stdout',
      text: 'job_1 succeeded: 12 items, 0 failed',
    })
    const error = { code: 'internal_error', detail: 'the store is away' }
    const failed = await watched(t, job('failed', { error }))
    assert.deepEqual(
      [failed.exitCode, failed.text.split('\n')[1]],
      [1, '  internal_error: the store is away'],
    )
    assert.equal((await watched(t, job('cancelled'))).exitCode, 1)
  })

  test('shows the first failed results', async (t) => {
    const progress = { done: 12, total: 12, failed: 12 }
    const results = Array.from({ length: 12 }, (_, i) => ({
      line: i + 1,
      status: 'failed',
      errors: [{ pointer: '/body', code: 'too_long', detail: 'is too long' }],
    }))
    const { exitCode, text } = await watched(t, job('completed_with_errors', { progress }), results)
    const lines = text.split('\n')
    assert.deepEqual(
      [exitCode, lines.length, lines[0], lines[1], lines[11]],
      [
        0,
        12,
        'job_1 completed_with_errors: 12 items, 12 failed',
        '  line 1: /body is too long',
        '  and 2 more',
      ],
    )
  })

  test('needs the id of a job', async (t) => {
    const { environment } = await backline(t)
    assert.match((await ran(environment, 'jobs', 'watch', 'conv_1')).text, /ID must be the id of a job/)
    assert.match((await ran(environment, 'jobs', 'watch', 'job_none')).text, /returned 404/)
  })
})

test('the lines of docs/import.md are of the format that they describe', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/import.md'), 'utf8')
  const lines = [...text.matchAll(/^\{"type":.*\}$/gm)].map(([line]) => JSON.parse(line))
  const types = new Set(lines.map(({ type }) => type))
  for (const { external_id } of lines) assert.equal(typeof external_id, 'string')
  assert.deepEqual(
    [...types].sort(),
    'category company conversation department end_user faq kb_article kb_collection message operator tag'.split(
      ' ',
    ),
  )
})
