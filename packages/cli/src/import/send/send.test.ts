import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Recorded, temporaryFolder } from '../recorded.test-fixtures.ts'
import { backline } from './backline.test-fixtures.ts'
import { sendDry } from './dry-run.ts'
import { type SendOptions, sendAll } from './send.ts'

const conversation = (id: number) => ({
  type: 'conversation',
  external_id: `c${id}`,
  end_user_external_id: 'u',
})
const message = (id: string, conversation: number, more: object = {}) => ({
  type: 'message',
  external_id: id,
  conversation_external_id: `c${conversation}`,
  body: `Message ${id}`,
  ...more,
})
const ndjson = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const small = { bytes: 16 * 2 ** 20, lines: 5, files: 100 }

const lines = [
  { type: 'department', external_id: '5', name: 'Billing' },
  ...[1, 2, 3, 4].flatMap((id) => [conversation(id), message(`m${id}a`, id), message(`m${id}b`, id)]),
]

function folderWith(
  t: Parameters<typeof temporaryFolder>[0],
  content: object[],
  files: Record<string, string> = {},
) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'lines.ndjson')
  writeFileSync(file, ndjson(content))
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return { folder, file }
}

const idsOf = (sent: { lines: Recorded[] }[]) =>
  sent.map((each) => each.lines.map(({ external_id }) => external_id))

describe('sending a folder', () => {
  test('imports parts one after another, and keeps a conversation together', async (t) => {
    const server = await backline(t)
    const { folder, file } = folderWith(t, lines)
    const sent = await sendAll({ ...server.options(file, folder), limits: small, onConflict: 'update' })
    assert.deepEqual(idsOf(server.imports), [
      ['5', 'c1', 'm1a', 'm1b'],
      ['c2', 'm2a', 'm2b', 'c3', 'm3a'],
      ['m3b', 'c4', 'm4a', 'm4b'],
    ])
    assert.deepEqual(
      server.imports.map(({ body: { file_id: _, ...body } }) => body),
      Array(3).fill({ source: 'zendesk', on_conflict: 'update' }),
    )
    assert.deepEqual([sent.parts, sent.lines, sent.failed, sent.jobs.length], [3, 13, 0, 3])
    for (const { content_type } of server.files.values()) assert.equal(content_type, 'application/gzip')
    assert.ok(!existsSync(join(folder, 'sent', readdirSync(join(folder, 'sent'))[0]!, 'part.ndjson.gz')))
  })

  test('a second run sends what was appended alone', async (t) => {
    const server = await backline(t)
    const { folder, file } = folderWith(t, lines)
    await sendAll(server.options(file, folder))
    const again = await sendAll(server.options(file, folder))
    assert.deepEqual([again.jobs.length, again.lines, server.imports.length], [0, 13, 1])
    appendFileSync(file, ndjson([conversation(9)]))
    await sendAll(server.options(file, folder))
    assert.deepEqual(idsOf(server.imports.slice(1)), [['c9']])
  })

  test('nothing is sent that is not committed', async (t) => {
    const server = await backline(t)
    const { folder, file } = folderWith(t, lines.slice(0, 2))
    const committed = readFileSync(file).length
    appendFileSync(file, ndjson(lines.slice(2)))
    await sendAll({ ...server.options(file, folder), to: committed })
    assert.deepEqual(idsOf(server.imports), [['5', 'c1']])
  })

  test('uploads attachments, and replaces their places in the message', async (t) => {
    const attachments = [
      { path: 'files/ab/1.png', filename: 'shot.png', content_type: 'image/png', disposition: 'inline' },
      { url: 'https://x.test/a.pdf', filename: 'a.pdf' },
    ]
    const server = await backline(t)
    const body = 'See ![shot](file:files/ab/1.png)'
    const { folder, file } = folderWith(t, [conversation(1), message('m', 1, { body, attachments })], {
      'files/ab/1.png': 'PNG',
    })
    await sendAll(server.options(file, folder))
    const image = [...server.files.values()].find(({ filename }) => filename === 'shot.png')!
    assert.deepEqual([image.content_type, String(image.bytes), image.status], ['image/png', 'PNG', 'ready'])
    const [, sent] = server.imports[0]!.lines
    assert.equal(sent.body, `See ![shot](file:${image.id})`)
    assert.deepEqual(sent.attachments, [
      { file_id: image.id, filename: 'shot.png', disposition: 'inline' },
      attachments[1],
    ])
  })

  test('a file that the server refuses is reported, and its message comes without it', async (t) => {
    const attachment = (path: string) => ({
      path,
      filename: path.split('/').at(-1),
      disposition: 'attachment',
    })
    const content = [
      conversation(1),
      message('m1', 1, { body: '', attachments: [attachment('files/run.exe')] }),
      message('m2', 1, { attachments: [attachment('files/gone.pdf')] }),
    ]
    const server = await backline(t)
    const { folder, file } = folderWith(t, content, { 'files/run.exe': 'MZ' })
    const sent = await sendAll(server.options(file, folder))
    assert.equal(sent.refused_files, 2)
    const [, first, second] = server.imports[0]!.lines
    assert.deepEqual([first.body, first.attachments, second.attachments], ['[run.exe]', [], []])
    const place = join(folder, 'sent', readdirSync(join(folder, 'sent'))[0]!, 'refused.ndjson')
    const refused = readFileSync(place, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      refused.map(({ source_id, detail }) => [source_id, detail]),
      [
        ['m1', 'run.exe: /filename is denied'],
        ['m2', 'gone.pdf: is not in the folder'],
      ],
    )
  })

  test('a file outside of the folder is not sent', async (t) => {
    const server = await backline(t)
    const attachments = [{ path: '../../etc/passwd', filename: 'x' }]
    const { folder, file } = folderWith(t, [conversation(1), message('m', 1, { attachments })])
    await assert.rejects(sendAll(server.options(file, folder)), /is outside of the folder/)
  })

  test('a run that is stopped at any request, and started again, sends nothing twice', async (t) => {
    const content = [
      ...lines.slice(0, 4),
      message('m1c', 1, { attachments: [{ path: 'files/a.txt', filename: 'a.txt' }] }),
      ...lines.slice(4),
      message('m4c', 4, { attachments: [{ path: 'files/b.txt', filename: 'b.txt' }] }),
    ]
    const files = { 'files/a.txt': 'A', 'files/b.txt': 'B' }
    const run = async (stopAt: number) => {
      let asked = 0
      const stopping = new AbortController()
      const server = await backline(t, {
        first: () => {
          if (++asked === stopAt) stopping.abort()
          return null
        },
      })
      const { folder, file } = folderWith(t, content, files)
      const options = (signal: AbortSignal): SendOptions => ({
        ...server.options(file, folder, signal),
        limits: small,
      })
      if (Number.isFinite(stopAt)) {
        const stopped = sendAll(options(stopping.signal))
        await assert.rejects(stopped, { code: 'cancelled' }, `request ${stopAt}`)
      }
      const { jobs: _, ...sent } = await sendAll(options(new AbortController().signal))
      const bytes = [...server.files.values()].map((each) => [each.filename, each.status])
      return { sent, bytes, imported: idsOf(server.imports), asked }
    }
    const { asked: total, ...undisturbed } = await run(Number.POSITIVE_INFINITY)
    assert.ok(total > 20)
    for (let stopAt = 1; stopAt <= total; stopAt++) {
      const { asked: _, ...run2 } = await run(stopAt)
      assert.deepEqual(run2, undisturbed, `stopped at request ${stopAt}`)
    }
  })

  test('failed lines are told with their number in the file, and the rest goes on', async (t) => {
    const failed = (lines: Recorded[]) =>
      lines.flatMap(({ external_id }, i) =>
        external_id === 'm3a'
          ? [
              {
                line: i + 1,
                status: 'failed',
                errors: [{ pointer: '/body', code: 'required', detail: 'is required' }],
              },
            ]
          : [],
      )
    const server = await backline(t, { end: (lines) => ({ failed: failed(lines) }) })
    const { folder, file } = folderWith(t, lines)
    const sent = await sendAll({ ...server.options(file, folder), limits: small })
    assert.deepEqual([sent.parts, sent.failed], [3, 1])
    assert.equal(lines[sent.failed_results[0]!.file_line - 1]!.external_id, 'm3a')
  })

  test('a job that failed is an error, and the next run sends its lines in a new one', async (t) => {
    let isBroken = true
    const error = { code: 'internal_error', detail: 'the store is away' }
    const server = await backline(t, { end: () => (isBroken ? { status: 'failed', error } : {}) })
    const { folder, file } = folderWith(t, lines)
    await assert.rejects(
      sendAll(server.options(file, folder)),
      /job_1 failed: internal_error: the store is away/,
    )
    isBroken = false
    const sent = await sendAll(server.options(file, folder))
    assert.deepEqual([sent.lines, server.imports.length, sent.jobs[0]!.id], [13, 2, 'job_2'])
  })

  test('each environment has a state of its own', async (t) => {
    const [one, other] = [await backline(t), await backline(t)]
    const { folder, file } = folderWith(t, lines)
    await sendAll(one.options(file, folder))
    await sendAll(other.options(file, folder))
    assert.deepEqual([one.imports.length, other.imports.length], [1, 1])
  })

  test('a compressed file, and one without an end of its last line, are sent whole', async (t) => {
    const server = await backline(t)
    const folder = temporaryFolder(t)
    const file = join(folder, 'export.ndjson.gz')
    writeFileSync(file, gzipSync(ndjson(lines).trimEnd()))
    await sendAll({ ...server.options(file, folder), limits: small })
    assert.deepEqual(
      idsOf(server.imports).flat(),
      lines.map(({ external_id }) => external_id),
    )
  })

  test('another file of the same name is sent from its start', async (t) => {
    const server = await backline(t)
    const { folder, file } = folderWith(t, lines)
    await sendAll(server.options(file, folder))
    writeFileSync(file, ndjson([conversation(77), conversation(78)]))
    await sendAll(server.options(file, folder))
    assert.deepEqual(idsOf(server.imports).at(-1), ['c77', 'c78'])
  })
})

describe('a dry run', () => {
  test('lets the server judge all lines, and keeps nothing', async (t) => {
    const server = await backline(t)
    const attachments = [{ path: 'files/a.txt', filename: 'a.txt' }]
    const { folder, file } = folderWith(t, [...lines, message('m4c', 4, { body: '', attachments })])
    const { types, ...run } = await sendDry({ ...server.options(file, folder), limits: small })
    assert.deepEqual(types, { department: 1, conversation: 4, message: 9 })
    assert.deepEqual([run.lines, run.parts], [14, server.imports.length])
    for (const { body } of server.imports) assert.equal(body.dry_run, true)
    // A dry run stores no department that later parts could refer to.
    assert.deepEqual(
      server.imports.map((each) => each.lines[0].external_id),
      server.imports.map(() => '5'),
    )
    assert.equal(server.imports.at(-1)!.lines.at(-1).body, '[a.txt]')
    assert.ok([...server.files.values()].every(({ filename }) => filename.endsWith('.ndjson.gz')))
    await sendAll(server.options(file, folder))
    assert.equal(server.imports.at(-1)!.lines.length, 14)
  })
})
