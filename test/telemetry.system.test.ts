import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '@backline/server/compose/config.ts'
import { version } from '@backline/server/compose/version.ts'
import { attributesOf, collector, type ReceivedSpan } from './collector.ts'
import { act, conversation, holdReason, succeeded } from './desk.ts'
import { clientOf } from './harness.ts'
import { endpoint, hookReceiver, localNetworks } from './hooks.ts'
import { cleanUp, freePort, launch, repository, startServer, temporaryDirectory, until } from './processes.ts'

/* Traces and metrics by OTLP, as a collector receives them from a real server. */

after(cleanUp)

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerId = '00f067aa0ba902b7'
const sampled = { traceparent: `00-${traceId}-${callerId}-01` }
const soon = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '200' }

/** Starts a server with a new embedded database. */
async function start(environment: Record<string, string>) {
  const server = await startServer({
    environment: { BACKLINE_DATA_DIR: temporaryDirectory(), ...localNetworks, ...environment },
  })
  const { test } = await server.firstKeys()
  return { server, client: clientOf(server.url, test) }
}

const childrenOf = (spans: ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId)

for (const compression of ['none', 'gzip'])
  describe(`a server that exports with the compression ${compression}`, () => {
    test('continues the trace of a request through statements and webhooks, and flushes at its end', async () => {
      const receiver = await hookReceiver()
      const sink = await collector()
      const { server, client } = await start({
        ...soon,
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
        OTEL_EXPORTER_OTLP_COMPRESSION: compression,
        OTEL_SERVICE_NAME: 'desk',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=blue,service.name=ignored',
      })
      await endpoint(client, receiver.url, { enabled_events: ['conversation.created'] })
      const body = { external_user_id: 'user_42', subject: 'Card declined' }
      const answer = await client.post('/v1/conversations?x-word=declined', body, sampled)
      assert.equal(answer.status, 400)
      const created = await client.post('/v1/conversations', body, sampled)
      assert.equal(created.status, 201)
      await until('the webhook arrives', () => receiver.hooks.length > 0)

      const request = await until('the span of the request', () =>
        sink
          .spans()
          .find((span) => span.traceId === traceId && span.attributes['http.response.status_code'] === 201),
      )
      assert.equal(request.name, 'POST /v1/conversations')
      assert.equal(request.kind, 2)
      assert.equal(request.parentSpanId, callerId)
      assert.equal(request.attributes['backline.request.id'], created.headers.get('request-id'))
      assert.equal(created.headers.get('traceparent'), `00-${traceId}-${request.spanId}-01`)
      const children = await until('all spans of the request', () => {
        const found = childrenOf(sink.spans(), request)
        const names = found.map(({ name }) => name)
        return names.includes('COMMIT') && names.includes('POST') && found
      })
      const commit = children.find(({ name }) => name === 'COMMIT')!
      assert.equal(commit.attributes['db.system.name'], 'postgresql')
      assert.equal(commit.attributes['db.operation.batch.size'], 1)
      assert.ok(commit.ms > 0 && commit.ms <= request.ms)
      const attempt = children.find(({ name }) => name === 'POST')!
      assert.equal(attempt.kind, 3)
      assert.equal(attempt.attributes['http.response.status_code'], 204)
      assert.equal(receiver.hooks[0]!.headers.traceparent, `00-${traceId}-${attempt.spanId}-01`)
      assert.ok(!JSON.stringify(sink.exports).includes('declined'), 'nothing of a body or a query')

      const [first] = sink.exports
      assert.equal(first!.headers['x-tenant'], 'a b')
      assert.equal(first!.headers['content-type'], 'application/json')
      assert.equal(first!.headers['content-encoding'], compression === 'gzip' ? 'gzip' : undefined)
      const { resource } = (first!.message.resourceSpans ?? first!.message.resourceMetrics)[0]
      assert.partialDeepStrictEqual(attributesOf(resource.attributes), {
        'service.name': 'desk',
        'service.version': version,
        'deployment.environment.name': 'blue',
        'telemetry.sdk.language': 'nodejs',
      })

      const last = await client.get('/v1/workspace')
      await server.stop()
      const id = last.headers.get('request-id')
      assert.ok(sink.spans().some(({ attributes }) => attributes['backline.request.id'] === id))
    })
  })

describe('a server that exports', () => {
  test('records due jobs with their statements, and the metrics of /metrics under the same names', async () => {
    const sink = await collector()
    const { server, client } = await start({ ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: `${sink.url}/` })
    const { id } = await conversation(client)
    const hold_reason_id = await holdReason(client, { default_duration_seconds: 60 })
    await act(client, id, 'hold', { hold_reason_id })
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 120 }))
    const job = await until('the span of a job', () =>
      sink.spans().find(({ name }) => name === 'process due_work'),
    )
    assert.equal(job.kind, 5)
    assert.equal(job.attributes['messaging.destination.name'], 'due_work')
    const inside = await until('its statements', () => {
      const found = childrenOf(sink.spans(), job)
      return found.some(({ name }) => name === 'COMMIT') && found
    })
    assert.ok(inside.every(({ traceId }) => traceId === job.traceId))

    const scraped = await (await fetch(`${server.url}/metrics`)).text()
    const names = [...scraped.matchAll(/^# TYPE (backline_\S+) (\w+)$/gm)]
    const types: Record<string, string> = { counter: 'sum', gauge: 'gauge', histogram: 'histogram' }
    await until('all metrics are exported', () => {
      const exported = sink.metrics()
      return names.every(([, name, type]) => {
        const hasValues = new RegExp(`^${name}(_count)?[{ ]`, 'm').test(scraped)
        return !hasValues || exported.get(name!)?.[types[type!]!]
      })
    })
    const durations = sink.metrics().get('backline_http_request_duration_seconds')
    assert.equal(durations.unit, 's')
    for (const { count, bucketCounts, explicitBounds } of durations.histogram.dataPoints) {
      assert.equal(bucketCounts.length, explicitBounds.length + 1)
      assert.equal(
        bucketCounts.reduce((sum: number, each: string) => sum + Number(each), 0),
        Number(count),
      )
    }
  })

  test('records no request that the sampler or the caller leaves out, and echoes the trace of the caller', async () => {
    const sink = await collector()
    const { client } = await start({
      ...soon,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${sink.url}/custom`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const unsampled = { traceparent: `00-${traceId}-${callerId}-00` }
    const answer = await client.get('/v1/workspace', unsampled)
    assert.match(answer.headers.get('traceparent') ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    assert.equal((await client.get('/v1/workspace')).headers.get('traceparent'), null)
    await client.get('/v1/workspace', sampled)
    const recorded = await sink.trace(traceId, 1)
    assert.ok(recorded.every(({ traceId: id }) => id === traceId))
    assert.equal(new Set(sink.spans().map(({ traceId: id }) => id)).size, 1)
    assert.ok(
      sink.exports.every(({ path }) => path === '/custom'),
      'no metrics without an endpoint',
    )
  })

  test('a recorded stream does not record the statements that follow its request', async () => {
    const sink = await collector()
    const { server, client } = await start({
      ...soon,
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    const closing = new AbortController()
    const headers = { authorization: `Bearer ${client.key}`, ...sampled }
    const stream = await fetch(`${server.url}/v1/events/stream`, { headers, signal: closing.signal })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    const others = 30
    for (let i = 0; i < others; i++) {
      const { id } = await conversation(client)
      for (let text = ''; !text.includes(id); ) text += (await reader.read()).value
    }
    await reader.cancel()
    closing.abort()
    await server.stop() // sends all spans
    const found = sink.spans().filter((span) => span.traceId === traceId)
    assert.ok(found.some(({ parentSpanId }) => parentSpanId === callerId))
    assert.ok(found.length < others / 2, `${found.length} spans`)
  })

  test('a collector that fails for a while receives the spans later', async () => {
    let isBroken = true
    const sink = await collector(() => (isBroken ? 503 : 200))
    const { server, client } = await start({ ...soon, OTEL_EXPORTER_OTLP_ENDPOINT: sink.url })
    await client.get('/v1/workspace', sampled)
    await until('the failure is logged', () => server.stdout.includes('exporting traces failed'))
    isBroken = false
    assert.ok((await sink.trace(traceId, 1)).length > 0)
  })

  test('a collector that accepts and never answers delays no request and no shutdown, and is logged once', async () => {
    const hole = createServer(() => undefined)
      .listen(0, '127.0.0.1')
      .unref()
    await until('it listens', () => hole.address())
    const { port } = hole.address() as { port: number }
    const { server, client } = await start({
      ...soon,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
    })
    for (let i = 0; i < 20; i++) succeeded(await client.get('/v1/workspace'))
    await until('spans are dropped', async () =>
      /^backline_telemetry_spans_dropped_total [1-9]/m.test(
        await (await fetch(`${server.url}/metrics`)).text(),
      ),
    )
    assert.deepEqual(await server.stop(), { code: 0, signal: null })
    assert.equal(server.stdout.split('exporting traces failed').length, 2)
  })
})

describe('the settings of OpenTelemetry', () => {
  test('are refused by name if they are not valid, and each is documented', () => {
    const asked = new Set<string>()
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
    const ours = [...asked].filter((name) => name.startsWith('OTEL_'))
    assert.ok(ours.length > 20)
    const accepted = ours.filter((name) => {
      try {
        return readConfig({ [name]: '%' })
      } catch (error) {
        assert.match((error as Error).message, new RegExp(`^${name} must be`, 'm'))
        return false
      }
    })
    const anyText = ['METRICS_EXPORTER', 'SDK_DISABLED', 'SERVICE_NAME', 'TRACES_EXPORTER']
    assert.deepEqual(
      accepted.sort(),
      anyText.map((name) => `OTEL_${name}`),
    )
    const documentation = readFileSync(join(repository, 'docs/observability.md'), 'utf8')
    const common = ours.filter((name) => !/_OTLP_(TRACES|METRICS)_/.test(name))
    assert.deepEqual(
      common.filter((name) => !documentation.includes(`\`${name}\``)),
      [],
    )
  })

  test('without an endpoint, or when disabled, nothing of the export is loaded', async () => {
    const sink = await collector()
    const report = `data:text/javascript,import{registerHooks}from'node:module';registerHooks({load(url,context,next){
      if(url.includes('/platform/telemetry/'))console.error('loaded '+url);return next(url,context)}})`
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_SDK_DISABLED: 'true' }
    for (const environment of [{}, disabled]) {
      const settings = {
        PORT: String(await freePort()),
        BACKLINE_DATA_DIR: temporaryDirectory(),
        ...environment,
      }
      const command = [process.execPath, '--import', report, 'packages/server/src/main.ts'] as const
      const server = await launch({ environment: settings, command: [...command] }).ready()
      await fetch(`${server.url}/v1/conversations`, { headers: sampled })
      await server.stop()
      assert.doesNotMatch(server.stderr, /loaded/)
    }
    assert.deepEqual(sink.exports, [])
  })

  test('name the one protocol that is left when another is set, for all signals or for one', () => {
    for (const name of ['PROTOCOL', 'TRACES_PROTOCOL', 'METRICS_PROTOCOL'])
      for (const protocol of ['http/protobuf', 'grpc'])
        assert.throws(
          () => readConfig({ [`OTEL_EXPORTER_OTLP_${name}`]: protocol }),
          new RegExp(`OTEL_EXPORTER_OTLP_${name} must be http/json, the one protocol`),
        )
  })

  test('that are not valid are refused, and no secret of a header is shown', async () => {
    const server = launch({
      environment: {
        BACKLINE_DATA_DIR: temporaryDirectory(),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_HEADERS: 'the-secret',
        OTEL_TRACES_SAMPLER: 'sometimes',
        OTEL_TRACES_SAMPLER_ARG: '1.5',
      },
    })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    for (const name of ['ENDPOINT', 'PROTOCOL', 'HEADERS', 'SAMPLER', 'SAMPLER_ARG'])
      assert.match(server.stderr, new RegExp(`OTEL_\\w*${name} must be`))
    assert.doesNotMatch(server.stderr, /the-secret/)
  })
})
