import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { deliver, mail, mailbox, processed } from '@backline/test/mails.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { type Threads, TookTooLong } from '../../../platform/kernel/threads.ts'
import { digestEmail, digestEmails, type Unread } from './digest.ts'
import { emailReader } from './reading-together.ts'

const api = service({ works: true })

test('mails that arrive at once: each makes a conversation, and each sender one end user', async () => {
  const { test: client } = await api.world()
  const { address } = await mailbox(client)
  const senders = Array.from({ length: 8 }, () => `${randomUUID()}@example.net`)
  const mails = [...senders, ...senders, ...senders].map((from) => mail({ from: `<${from}>`, to: address }))
  const delivered = await Promise.all(mails.map((raw) => deliver(client, raw)))
  const emails = await Promise.all(delivered.map((each) => processed(client, succeeded(each).id)))
  assert.deepEqual([...new Set(emails.map(({ status }) => status))], ['created'])
  assert.equal(new Set(emails.map((each) => each.conversation_id)).size, mails.length)
  const people = Map.groupBy(emails, (each) => each.from.address)
  assert.deepEqual(
    [...people.values()].map((those) => new Set(those.map((each) => each.end_user_id)).size),
    senders.map(() => 1),
  )
})

describe('mails that are read by one call', () => {
  const file = ['--b', 'Content-Type: text/csv; name=a.csv', '', 'a,b', '--b--', '']
  const raw = (subject: string) =>
    Buffer.from(
      [
        'From: a@example.net',
        `Subject: ${subject}`,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        ...file,
      ].join('\r\n'),
    )

  /** Calls functions here, but for a mail that takes too long: those before it are read. */
  function threads(calls: number[]): Threads {
    const run = async (_client: string, _module: string, call: unknown, given: Unread | Unread[]) => {
      const mails = [given].flat()
      calls.push(mails.length)
      const read = []
      for (const each of mails) {
        const text = 'bytes' in each.source ? String(each.source.bytes) : ''
        if (text.includes('slow')) throw new TookTooLong()
        if (text.includes('busy')) throw new ApiError('unavailable')
        read.push(await digestEmail(each))
      }
      return call === digestEmails ? read : read[0]
    }
    return { run: run as Threads['run'], close: async () => undefined }
  }

  /** The subjects of mails that are read at once, or the errors. Each has the file that belongs to it. */
  async function subjectsOf(t: TestContext, calls: number[], ...subjects: string[]) {
    const directory = await mkdtemp(join(tmpdir(), 'backline-at-once-'))
    t.after(() => rm(directory, { recursive: true }))
    const read = emailReader(threads(calls))
    const all = await Promise.allSettled(
      subjects.map((subject, i) =>
        read('tenant', { source: { bytes: raw(subject) }, directory: join(directory, `${i}`) }),
      ),
    )
    return Promise.all(
      all.map(async (each) => {
        if (each.status === 'rejected') return each.reason.constructor
        if ('refused' in each.value) return each.value.refused
        assert.equal(await readFile(each.value.files[0]!.path, 'utf8'), 'a,b')
        return each.value.subject
      }),
    )
  }

  test('are read eight at a time', async (t) => {
    const calls: number[] = []
    const subjects = Array.from({ length: 20 }, (_, i) => `${i}`)
    assert.deepEqual(await subjectsOf(t, calls, ...subjects), subjects)
    assert.deepEqual(calls, [8, 8, 4])
  })

  test('are read one by one, with their files, after one that takes too long', async (t) => {
    const calls: number[] = []
    assert.deepEqual(await subjectsOf(t, calls, 'one', 'slow', 'two'), ['one', TookTooLong, 'two'])
    assert.deepEqual(calls, [3, 1, 1, 1])
  })

  test('all wait while the threads are busy', async (t) => {
    const calls: number[] = []
    assert.deepEqual(await subjectsOf(t, calls, 'one', 'busy'), [ApiError, ApiError])
    assert.deepEqual(calls, [2])
  })
})
