import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { openNotifications } from './notifications.ts'
import { sql } from './sql.ts'

const api = service()

describe('notifications', () => {
  /** Counts the notifications of a topic. The first call is for notifications before the start. */
  async function listening(topic: 'due' | 'clock') {
    const notifications = openNotifications(api.connection, api.db)
    const heard = { count: 0 }
    notifications.on(topic, () => {
      heard.count++
    })
    await until('it listens', async () => heard.count === 1)
    return { notifications, heard }
  }

  test('what one process tells another one hears, of that topic alone', async () => {
    const [one, other] = [await listening('due'), await listening('clock')]
    one.notifications.tell('clock')
    await until('the other one has heard', async () => other.heard.count === 2)
    assert.equal(one.heard.count, 1)
    await Promise.all([one.notifications.close(), other.notifications.close()])
  })

  test('a lost connection is made again, and counts as news of every topic', async () => {
    const [one, other] = [await listening('due'), await listening('due')]
    await api.db.write(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'backline listen'`)
    await until('it listens again', async () => one.heard.count === 2 && other.heard.count === 2)
    one.notifications.tell('due')
    await until('the other one hears again', async () => other.heard.count === 3)
    assert.equal(one.heard.count, 2, 'what it told itself is no news')
    await Promise.all([one.notifications.close(), other.notifications.close()])
  })
})
