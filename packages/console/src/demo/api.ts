import type { Api } from '@backline/demo/api.ts'
import { ApiError } from '@backline/sdk'
import { randomKey } from '../browser/random-key.ts'
import { serverUrl } from '../data/client.ts'

const mostAttempts = 60
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** The API with a key, for the demo: it acts for many operators, which a session cannot. */
export function apiWith(key: string, signal: AbortSignal): Api {
  async function call(
    method: string,
    path: string,
    { query, body, headers: more, operator, idempotencyKey = randomKey() }: Parameters<Api['call']>[2] = {},
  ) {
    const url = `${serverUrl}${path.slice(1)}${query ? `?${new URLSearchParams(query)}` : ''}`
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': idempotencyKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(operator && { 'backline-operator': operator }),
      ...more,
    }
    for (let attempt = 1; ; attempt++) {
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
      const response = await fetch(url, { method, headers, signal, ...sent })
      const text = await response.text()
      const answer = text === '' ? null : JSON.parse(text)
      if (response.ok) return answer
      const isTransient = response.status === 429 || response.status === 503
      if (!isTransient || attempt === mostAttempts) throw new ApiError(answer, response.headers)
      await pause(Number(response.headers.get('retry-after') ?? 1))
    }
  }
  return { call }
}
