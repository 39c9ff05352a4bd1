import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import { DatabaseUnavailable, FailedStatement, sqlStates, toDatabaseError } from './errors.ts'
import { sql } from './sql.ts'
import { onWorkers } from './workers.ts'

const tenantId = '01a2043e-4fdb-7000-8ee3-14584dd4fe17'
const failed = (code: string) => new FailedStatement(0, Object.assign(new Error(code), { code }))

describe('writes to a cluster', () => {
  /** The port of the worker in the catalog of the coordinator. */
  let port: number
  let lookupMs: number
  /** The ports that a transaction was sent to. */
  let sent: number[]
  /** The result of the next transaction. */
  let answer: () => void | Promise<void>
  let db: Database

  beforeEach(async () => {
    port = 1
    lookupMs = 0
    sent = []
    answer = () => undefined
    const coordinator = {
      rows: async () => [{}],
      maybe: async () => {
        await sleep(lookupMs)
        return { host: '127.0.0.1', port }
      },
    } as unknown as Database
    db = await onWorkers(coordinator, 'postgres://backline@127.0.0.1:5432/backline', (connection) => {
      const own = Number(new URL(connection as string).port)
      const transaction = async () => {
        sent.push(own)
        await answer()
      }
      return { transaction } as unknown as Database
    })
  })

  const write = () => db.home(tenantId).transaction([sql`select 1`, sql`select 2`])

  test('go to the worker of the environment', async () => {
    await write()
    assert.deepEqual(sent, [1])
  })

  test('follow the rows to another worker, also while the servers do not agree on it', async () => {
    await write()
    answer = () => {
      if (sent.length === 4) port = 2
      if (sent.length < 5) throw failed(sqlStates.invalidText)
    }
    await write()
    assert.deepEqual(sent, [1, 1, 1, 1, 2])
  })

  test('wait for a lookup that began after one failure, whatever else fails meanwhile', async () => {
    await write()
    lookupMs = 50
    const late = 20
    answer = async () => {
      if (sent.length === 3) await sleep(late)
      if (sent.length <= 3) throw failed('57P01')
    }
    const [one, other] = [write(), write()]
    await assert.rejects(one)
    const third = write() // looks the worker up, while the second one fails
    await assert.rejects(other)
    await third
    assert.deepEqual(sent, [1, 1, 1, 1])
  })

  test('are unavailable if the rows stay elsewhere', async () => {
    answer = () => {
      throw failed(sqlStates.undefinedObject)
    }
    await assert.rejects(write(), DatabaseUnavailable)
  })

  test('fail at once with another error', async () => {
    answer = () => {
      throw failed(sqlStates.uniqueViolation)
    }
    await assert.rejects(write(), FailedStatement)
    assert.equal(sent.length, 1)
  })

  test('are unavailable while Citus cannot reach another server of the cluster', () => {
    const message = 'failure on connection marked as essential: 10.0.0.2:5432'
    assert.ok(
      toDatabaseError(Object.assign(new Error(message), { code: 'XX000' })) instanceof DatabaseUnavailable,
    )
  })
})
