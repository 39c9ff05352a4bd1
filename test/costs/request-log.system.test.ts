import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conversation, succeeded } from '../desk.ts'
import { type Client, type Service, service } from '../harness.ts'
import { until } from '../processes.ts'
import { costOf, describeExecutions, type Meter, startMeter } from './meter.ts'

const requests = 300
/** For each request of many: its row, an entry of the primary key, and a share of the statement. */
const most = { walBytes: 320, buffers: 4 }

describe('the cost of the request log', () => {
  let meter: Meter
  before(() => {
    meter = startMeter()
  })
  after(() => meter.stop())
  const on = service({})
  const off = service({ environment: { BACKLINE_REQUEST_LOG_DAYS: '0' } })

  const aboutLog = () => meter.executions.filter(({ text }) => /\brequest_log\b/.test(text))

  /** Reads a conversation many times, 20 at a time. */
  async function load(api: Service): Promise<Client> {
    const { test: client } = await api.world()
    const { id } = await conversation(client)
    meter.executions.length = 0
    const some = Array.from({ length: 20 }, () => `/v1/conversations/${id}`)
    for (let sent = 0; sent < requests; sent += some.length)
      for (const answer of await Promise.all(some.map((path) => client.get(path)))) succeeded(answer)
    return client
  }

  test('requests share statements that follow them: a row and an entry of one index for each', async () => {
    const startedAt = performance.now()
    const client = await load(on)
    await until('all are there', async () => {
      const { body } = await client.get('/v1/request_log?method=GET&include=total')
      return body.total === requests
    })
    const seconds = (performance.now() - startedAt) / 1000
    const inserts = aboutLog().filter(({ text }) => text.includes('insert into'))
    const { statements, rowsWritten, walBytes, buffers } = costOf(inserts)
    const shown = describeExecutions(inserts)
    assert.ok(statements <= seconds + 1, `${statements} statements in ${seconds} s`)
    assert.ok(rowsWritten >= requests, shown)
    assert.ok(walBytes / rowsWritten <= most.walBytes, `${walBytes / rowsWritten} bytes\n${shown}`)
    assert.ok(buffers / rowsWritten <= most.buffers, `${buffers / rowsWritten} buffers\n${shown}`)
  })

  test('a server without it sends no statement about it', async () => {
    await load(off)
    await new Promise((resolve) => setTimeout(resolve, 2_500)) // twice the interval of its writes
    assert.equal(describeExecutions(aboutLog()), '')
  })
})
