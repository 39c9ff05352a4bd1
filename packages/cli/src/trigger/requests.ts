import { randomBytes } from 'node:crypto'
import type { Client, Json } from '../api/client.ts'
import { itemsOf } from '../api/items.ts'

/** Requests of a fixture. Each returns the body of its response. */
export type Requests = {
  post(path: string, body?: unknown, operator?: string): Promise<Json>
  put(path: string, body?: unknown): Promise<Json>
  patch(path: string, body: unknown): Promise<Json>
  get(path: string, query?: Record<string, string>): Promise<Json>
  /** The items of all pages of a list. */
  items(path: string): AsyncIterable<Json>
  delete(path: string): Promise<Json>
  /** A text that no earlier run has used, for unique names. */
  unique: string
  /** The writes so far, such as `POST /v1/conversations`. */
  done: string[]
}

export function recordRequests({ call }: Client): Requests {
  const done: string[] = []
  const write = async (method: string, path: string, body?: unknown, operator?: string) => {
    const request = {
      ...(body === undefined ? {} : { body }),
      ...(operator === undefined ? {} : { operator }),
    }
    const result = await call(method, path, request)
    done.push(`${method} ${path}`)
    return result
  }
  return {
    post: (path, body, operator) => write('POST', path, body, operator),
    put: (path, body) => write('PUT', path, body),
    patch: (path, body) => write('PATCH', path, body),
    delete: (path) => write('DELETE', path),
    get: (path, query = {}) => call('GET', path, { query }),
    items: (path) => itemsOf({ call }, path),
    unique: randomBytes(4).toString('hex'),
    done,
  }
}
