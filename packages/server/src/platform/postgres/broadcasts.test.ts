import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { openBroadcasts, payloadsOf } from './broadcasts.ts'
import type { Db } from './database.ts'
import { openNotifications } from './notifications.ts'
import { type Sql, sql } from './sql.ts'

const api = service()

describe('broadcasts', () => {
  test('texts are joined to payloads that PostgreSQL accepts, in order and each whole', async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${i} ${'é'.repeat(i % 90)}`)
    const payloads = payloadsOf(texts, 'prefix')
    assert.ok(payloads.length < 6)
    for (const payload of payloads) {
      assert.ok(Buffer.byteLength(payload) < 8_000)
      await api.db.write(sql`select pg_notify('broadcasts_test', ${payload})`)
    }
    assert.deepEqual(
      payloads.flatMap((payload) => payload.split('\n').slice(1)),
      texts,
    )
  })

  test('while the database hangs, one statement waits, and a bounded number of texts; a long text is dropped', async () => {
    const statements: Sql[] = []
    const answers: (() => void)[] = []
    const write = (statement: Sql) => {
      statements.push(statement)
      return new Promise<[]>((resolve) => answers.push(() => resolve([])))
    }
    const { send } = openBroadcasts({ write } as unknown as Pick<Db, 'write'>, 'channel', 'prefix')
    send('x'.repeat(8_000))
    send('first')
    await until('it is sent', async () => statements.length === 1)
    for (let i = 0; i < 5_000; i++) send(`text ${i}`)
    answers[0]!()
    await until('the next are sent', async () => statements.length === 2)
    const texts = statements.flatMap(({ values }) =>
      (values[1] as string[]).flatMap((payload) => payload.split('\n').slice(1)),
    )
    assert.equal(texts.length, 501)
    assert.deepEqual([texts[0], texts[1], texts.at(-1)], ['first', 'text 0', 'text 499'])
  })

  test('a flood of them delays no other notification', async () => {
    const [one, other] = [
      openNotifications(api.connection, api.db),
      openNotifications(api.connection, api.db),
    ]
    const heard = { due: 0, texts: 0 }
    other.on('due', () => heard.due++)
    other.onBroadcast(() => heard.texts++)
    await until('it listens', async () => heard.due === 1)
    for (let i = 0; i < 20_000; i++) one.broadcast(`text ${i}`)
    one.tell('due')
    await until('it has heard', async () => heard.due === 2 && heard.texts > 0)
    assert.ok(heard.texts <= 500, 'the rest was dropped')
    await Promise.all([one.close(), other.close()])
  })
})
