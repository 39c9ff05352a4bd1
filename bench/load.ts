import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import autocannon from 'autocannon'

/** A request that is repeated. `{unique}` in path, key and body becomes a new value each time. */
export type Load = {
  method: 'GET' | 'POST'
  /** Paths and bodies are used in rotation. */
  paths: string[]
  headers?: Record<string, string>
  bodies?: string[]
  idempotencyKey?: string
}

/** By name. Each is created right before it runs, since some cannot be sent twice. */
export type Loads = Record<string, () => Load>

export type Measured = { perSecond: number; p50Ms: number; p99Ms: number; failed: number }

export type Target = { url: string; apiKey: string }

/** Closed loop: each connection sends its next request after its last response. */
export type Generator = (
  target: Target,
  load: Load,
  connections: number,
  seconds: number,
) => Promise<Measured>

const inPath = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** wrk if it is installed, because it uses less of the two cores; otherwise autocannon. */
export const generator: { name: string; run: Generator } = inPath('wrk')
  ? { name: 'wrk', run: byWrk }
  : { name: 'autocannon', run: byAutocannon }

const headersOf = ({ apiKey }: Target, load: Load): Record<string, string> => ({
  authorization: `Bearer ${apiKey}`,
  ...load.headers,
  ...(load.bodies === undefined ? {} : { 'content-type': 'application/json' }),
  ...(load.idempotencyKey === undefined ? {} : { 'idempotency-key': load.idempotencyKey }),
})

async function byAutocannon(
  target: Target,
  load: Load,
  connections: number,
  seconds: number,
): Promise<Measured> {
  const run = randomBytes(6).toString('hex')
  let sent = 0
  const result = await autocannon({
    url: target.url,
    connections,
    duration: seconds,
    requests: [
      {
        method: load.method,
        setupRequest: (request: object) => {
          const unique = `${run}${sent}`
          const fill = (text: string) => text.replaceAll('{unique}', unique)
          const headers = Object.fromEntries(
            Object.entries(headersOf(target, load)).map(([k, v]) => [k, fill(v)]),
          )
          const { paths, bodies } = load
          const path = fill(paths[sent % paths.length]!)
          const body = bodies ? { body: fill(bodies[sent % bodies.length]!) } : {}
          sent++
          return { ...request, path, headers, ...body }
        },
      },
    ],
  } as never)
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

async function byWrk(target: Target, load: Load, connections: number, seconds: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'backline-bench-'))
  try {
    const script = join(folder, 'load.lua')
    await writeFile(script, luaOf(target, load))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, target.url]
    const output = await outputOf('wrk', args)
    return JSON.parse(output.slice(output.lastIndexOf('{"perSecond"')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function luaOf(target: Target, load: Load): string {
  const quote = (text: string) => JSON.stringify(text)
  const headers = Object.entries(headersOf(target, load)).map(
    ([name, value]) => `[${quote(name)}]=${quote(value)}`,
  )
  return `
local run, sent, paths = ${quote(randomBytes(6).toString('hex'))}, 0, {${load.paths.map(quote).join(',')}}
local headers, bodies, key = {${headers.join(',')}}, {${(load.bodies ?? []).map(quote).join(',')}}, ${quote(load.idempotencyKey ?? '')}
function request()
  sent = sent + 1
  local unique = run .. sent
  local body = bodies[(sent - 1) % #bodies + 1]
  if key ~= '' then headers['idempotency-key'] = key:gsub('{unique}', unique) end
  return wrk.format(${quote(load.method)}, (paths[(sent - 1) % #paths + 1]:gsub('{unique}', unique)), headers, body and body:gsub('{unique}', unique))
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"perSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}', summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end`
}

function outputOf(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}`)),
    )
  })
}
