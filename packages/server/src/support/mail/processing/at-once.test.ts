import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { deliver, mail, mailbox, processed } from '@backline/test/mails.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { type Threads, TookTooLong } from '../../../platform/kernel/threads.ts'
import { digestEmail, digestEmails } from './digest.ts'
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
  const raw = (subject: string) => Buffer.from(`From: a@example.net\r\nSubject: ${subject}\r\n\r\ntext\r\n`)
  const unread = (subject: string) => ({ source: { bytes: raw(subject) }, directory: '/nonexistent' })

  /** Calls functions here, but for a mail that takes too long. */
  function threads(calls: number[]): Threads {
    const run = async (_client: string, _module: string, call: unknown, ...args: unknown[]) => {
      const mails = [args[0]].flat() as ReturnType<typeof unread>[]
      calls.push(mails.length)
      if (mails.some(({ source }) => `${source.bytes}`.includes('slow'))) throw new TookTooLong()
      if (mails.some(({ source }) => `${source.bytes}`.includes('busy'))) throw new ApiError('unavailable')
      return call === digestEmails ? digestEmails(mails) : digestEmail(mails[0]!)
    }
    return { run: run as Threads['run'], close: async () => undefined }
  }

  async function subjectsOf(calls: number[], ...subjects: string[]) {
    const read = emailReader(threads(calls))
    const all = await Promise.allSettled(subjects.map((each) => read('tenant', each, unread(each))))
    return all.map((each) => {
      if (each.status === 'rejected') return each.reason.constructor
      return 'refused' in each.value ? each.value.refused : each.value.subject
    })
  }

  test('are read eight at a time', async () => {
    const calls: number[] = []
    const subjects = Array.from({ length: 20 }, (_, i) => `${i}`)
    assert.deepEqual(await subjectsOf(calls, ...subjects), subjects)
    assert.deepEqual(calls, [8, 8, 4])
  })

  test('are read one by one after one that takes too long', async () => {
    const calls: number[] = []
    assert.deepEqual(await subjectsOf(calls, 'one', 'slow', 'two'), ['one', TookTooLong, 'two'])
    assert.deepEqual(calls, [3, 1, 1, 1])
  })

  test('all wait while the threads are busy', async () => {
    const calls: number[] = []
    assert.deepEqual(await subjectsOf(calls, 'one', 'busy'), [ApiError, ApiError])
    assert.deepEqual(calls, [2])
  })
})
