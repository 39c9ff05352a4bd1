import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SwaggerParser from '@apidevtools/swagger-parser'
import * as clients from './generated/clients.mjs'

/* Runs a server, calls it by each generated client, and calls every operation through a proxy that validates. */

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(root, 'openapi/v1.json'), 'utf8'))
await SwaggerParser.validate(structuredClone(document))
console.log('swagger-parser: valid')

const directory = await mkdtemp(join(tmpdir(), 'backline-'))
const [port, proxyPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${port}`
const processes = []
try {
  const environment = { PORT: String(port), BACKLINE_DATA_DIR: directory }
  run('npm', ['start', '--silent'], { cwd: root, env: { ...process.env, ...environment } })
  await answers(`${url}/readyz`)
  const key = JSON.parse(await readFile(join(directory, 'first-keys.json'), 'utf8')).test
  for (const [name, { createsAndLists }] of Object.entries(clients)) {
    const found = await createsAndLists(url, key)
    if (found !== 1) throw new Error(`${name} does not find what it has created`)
    console.log(`${name}: creates and lists`)
  }
  run('npx', ['prism', 'proxy', join(root, 'openapi/v1.json'), url, '--port', String(proxyPort)])
  await answers(`http://127.0.0.1:${proxyPort}/healthz`)
  const { calls, violations } = await callEverything(`http://127.0.0.1:${proxyPort}`, key)
  console.log(`prism: ${calls} calls, ${violations.length} violations by responses`)
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
} finally {
  for (const child of processes.filter(({ exitCode }) => exitCode === null)) {
    process.kill(-child.pid, 'SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  await rm(directory, { recursive: true })
}

/** In a process group of its own: npm starts further processes. */
function run(command, parameters, options = {}) {
  processes.push(
    spawn(command, parameters, { ...options, detached: true, stdio: ['ignore', 'ignore', 'inherit'] }),
  )
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answers(address) {
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(address).catch(() => null)
    if (response?.ok) return
    await sleep(200)
  }
  throw new Error(`${address} does not answer`)
}

/** Calls every operation with its example, with a wrong body and with a wrong query; ids are those of earlier responses. */
async function callEverything(base, key) {
  const ids = {}
  const violations = []
  let calls = 0

  async function call(method, path, body, headers = {}) {
    calls++
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    learn(await response.json().catch(() => null))
    const found = JSON.parse(response.headers.get('sl-violations') ?? '[]')
    for (const { location, message } of found.filter((each) => each.location[0] === 'response'))
      violations.push(`${method} ${path} ${response.status}: ${location.join('.')} ${message}`)
  }

  function learn(value) {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.id === 'string') ids[value.id.split('_')[0]] = value.id
    Object.values(value).forEach(learn)
  }
  const known = (id) => ids[id.split('_')[0]] ?? id
  const isId = (value) => typeof value === 'string' && /^[a-z]+_[0-9a-z]{26}$/.test(value)
  const withKnownIds = (example) =>
    JSON.parse(JSON.stringify(example), (_, value) => (isId(value) ? known(value) : value))

  const unsuited = /\/(stream|export|advance|metrics|guides|docs|api_keys\/.*)$|^\/(docs|guides.*)?$/
  const operations = Object.entries(document.paths)
    .filter(([path]) => !unsuited.test(path))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )
  const creates = ({ path, method }) => method === 'post' && !path.includes('{')
  const inOrder = [
    ...operations.filter(creates),
    ...operations.filter((each) => !creates(each) && each.method !== 'delete'),
    ...operations.filter(({ method }) => method === 'delete'),
  ]
  for (const { path, method, operation } of inOrder) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      known(operation.parameters.find((each) => each.name === name).example),
    )
    const [content] = Object.values(operation.requestBody?.content ?? {})
    const headers = path.includes('claim') ? { 'backline-operator': ids.op } : {}
    const verb = method.toUpperCase()
    await call(verb, filled, content && withKnownIds(content.example), headers)
    if (content) await call(verb, filled, { nonsense: 1 }, headers)
    else await call(verb, `${filled}?nonsense=1`, undefined, headers)
  }
  return { calls, violations }
}
