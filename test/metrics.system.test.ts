import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { findRunning } from '@backline/embedded-postgres'
import pg from 'pg'
import { collector } from './collector.ts'
import { act, conversation, holdReason, succeeded } from './desk.ts'
import { type Client, clientOf } from './harness.ts'
import { endpoint, hookReceiver, localNetworks } from './hooks.ts'
import {
  cleanUp,
  freePort,
  postmasterPid,
  repository,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* The metrics of a real server; the dashboard, the rules and the documentation that name them. */

after(cleanUp)

const read = (file: string) => readFileSync(join(repository, file), 'utf8')
const rules = read('ops/prometheus/alerts.yaml')
const documentation = read('docs/observability.md')
/** The queries of the dashboard, without Grafana's variables. */
const queries = [...read('ops/grafana/backline.json').matchAll(/^ *"expr": (".*")/gm)].map(([, text]) =>
  (JSON.parse(text!) as string).replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
)
const hasPrometheus =
  spawnSync('promtool', ['--version']).status === 0 && spawnSync('prometheus', ['--version']).status === 0
const needsPrometheus = { skip: hasPrometheus ? false : "no promtool: install Debian's package `prometheus`" }

const dataDir = temporaryDirectory()
let server: ServerProcess
let live: Client

const scrape = async () => (await fetch(`${server.url}/metrics`)).text()
const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${RegExp.escape(name)} (\\S+)$`, 'm').exec(text)?.[1])

/** A server on which everything that has a metric has happened. */
before(async () => {
  const sink = await collector()
  server = await startServer({
    environment: {
      BACKLINE_DATA_DIR: dataDir,
      BACKLINE_WEBHOOK_RETRY_SECONDS: '1,3600',
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      BACKLINE_MAIL_LISTEN: `lmtp:${join(dataDir, 'mail')}`,
      ...localNetworks,
    },
  })
  live = clientOf(server.url, (await server.firstKeys()).live)
  const broken = await hookReceiver((_, outgoing) => outgoing.writeHead(500).end())
  await endpoint(live, broken.url, { enabled_events: ['*'] })
  const stream = await fetch(`${server.url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${live.key}` },
  })
  const { id } = await conversation(live)
  const hold_reason_id = await holdReason(live, { default_duration_seconds: 1 })
  await act(live, id, 'hold', { hold_reason_id })
  await until('the hold has expired', async () =>
    /^backline_jobs_total\{kind="hold_expiry"/m.test(await scrape()),
  )
  await until(
    'the stream has an event',
    async () => figure(await scrape(), 'backline_stream_delay_seconds_count') > 0,
  )
  await stream.body!.cancel()
})

describe('the metrics of a server', () => {
  test('are those that the documentation lists, with a type and a help text', async () => {
    const scraped = [...(await scrape()).matchAll(/^# TYPE (backline_\w+) (\w+)$/gm)]
    const documented = [...documentation.matchAll(/^\| `(backline_\w+)` (?:◦ )?\| (\w+) \|/gm)]
    const sorted = (found: RegExpMatchArray[]) => found.map(([, name, type]) => `${name} ${type}`).sort()
    assert.deepEqual(sorted(documented), sorted(scraped))
  })

  test('tell of webhooks that wait: how many, and how late', async () => {
    const text = await until('the deliveries are counted', async () => {
      const text = await scrape()
      return figure(text, 'backline_webhook_deliveries_pending') > 0 && text
    })
    assert.ok(figure(text, 'backline_webhook_attempts_total{outcome="failed"}') > 0)
    assert.ok(figure(text, 'backline_webhook_attempt_duration_seconds_count') > 0)
    assert.ok(figure(text, 'backline_webhook_delivery_overdue_seconds') >= 0)
    assert.ok(figure(text, 'backline_commit_changes_count') > 0)
    assert.equal(figure(text, 'backline_embedded_postgres_up'), 1)
    assert.ok(!/tenant|ws_|env_|key_/.test(text), 'no label of an environment or a key')
  })

  test('follow the conventions, as promtool checks them', needsPrometheus, async () => {
    const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
      input: await scrape(),
      encoding: 'utf8',
    })
    assert.deepEqual({ stdout, stderr, status }, { stdout: '', stderr: '', status: 0 })
  })

  test('are scraped while a table is locked, with the previous figures, and requests go on', async () => {
    const readAt = (text: string) => figure(text, 'backline_backlog_read_timestamp_seconds')
    const client = new pg.Client((await findRunning(dataDir))!)
    await client.connect()
    await client.query('begin')
    await client.query('lock table webhook_deliveries in access exclusive mode')
    const locked = Date.now() / 1000
    await until('the figures cannot be read', async () => {
      await scrape()
      return server.stdout.includes('"loop":"backlog"')
    })
    const text = await scrape()
    assert.ok(readAt(text) <= locked)
    assert.ok(figure(text, 'backline_webhook_deliveries_pending') > 0)
    succeeded(await live.get('/v1/conversations'))
    await client.query('rollback')
    await client.end()
  })
})

describe('the dashboard and the rules', () => {
  test('name only metrics that a server has', async () => {
    const names = new Set(
      [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
      ),
    )
    const expressions = [
      ...queries,
      ...[...rules.matchAll(/expr: (?:\|\n((?: {12}.*\n)+)|(.*))/g)].map((found) => found[1] ?? found[2]!),
    ]
    assert.ok(expressions.length > 40)
    const named = expressions.flatMap((text) => text.match(/\b(?:backline|nodejs|process)_\w+\b/g) ?? [])
    assert.deepEqual(
      [...new Set(named)].filter((name) => !names.has(name)),
      [],
    )
  })

  test('are documented: each alert has a section that says what to do', () => {
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const sections = [...documentation.matchAll(/^### (Backline\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(sections.sort(), alerts.sort())
  })

  test('have rules that promtool accepts, and that fire as their tests say', needsPrometheus, async () => {
    for (const args of [
      ['check', 'rules', 'ops/prometheus/alerts.yaml'],
      ['test', 'rules', 'ops/prometheus/alerts.test.yaml'],
    ])
      await promisify(execFile)('promtool', args, { cwd: repository })
  })

  test('have queries that Prometheus answers from a scrape', needsPrometheus, async (t) => {
    const directory = temporaryDirectory()
    const target = new URL(server.url).host
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(repository, 'ops/prometheus/alerts.yaml')],
      scrape_configs: [{ job_name: 'backline', static_configs: [{ targets: [target] }] }],
    }
    writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify(config)) // JSON is YAML
    const port = await freePort()
    const args = [`--config.file=${directory}/prometheus.yml`, `--storage.tsdb.path=${directory}/data`]
    const prometheus = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], {
      stdio: 'ignore',
    })
    t.after(() => prometheus.kill('SIGKILL'))
    const ask = async (path: string) =>
      (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as Answered
    type Answered = { status: string; error?: string; data: { result: unknown[]; groups: Group[] } }
    type Group = { rules: { name: string; health: string; lastError?: string }[] }
    const query = (text: string) => ask(`query?query=${encodeURIComponent(text)}`)
    const scrapes = 'count_over_time(backline_http_requests_in_progress[1m]) > 3'
    await until(
      'Prometheus has scraped',
      async () => (await query(scrapes).catch(() => null))?.data?.result.length,
    )
    const silent: string[] = []
    for (const text of queries) {
      const { status, error, data } = await query(text)
      assert.equal(status, 'success', `${text}: ${error}`)
      if (data.result.length === 0) silent.push(text)
    }
    assert.deepEqual(silent, [], 'queries without a result')
    const { data } = await ask('rules')
    const faults = data.groups.flatMap(({ rules }) => rules).filter(({ health }) => health === 'err')
    assert.deepEqual(faults, [])
  })
})

test('a restart of the embedded PostgreSQL is counted', async () => {
  process.kill((await postmasterPid(dataDir))!, 'SIGKILL')
  const restarts = 'backline_embedded_postgres_restarts_total'
  const text = await until('it was restarted', async () => {
    const text = await scrape()
    return figure(text, restarts) === 1 && text
  })
  assert.equal(figure(text, 'backline_embedded_postgres_up'), 1)
  assert.ok(figure(text, 'backline_database_connections_lost_total') > 0)
})
