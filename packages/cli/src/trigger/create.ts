import type { Json } from '../api/client.ts'
import { examples } from './examples.generated.ts'
import type { Requests } from './requests.ts'

/** Members that differ from the examples: no webhooks to the host of a stranger, and no role with more rights. */
const changes: Record<string, { create?: object; update?: object }> = {
  operator: { update: { role: undefined } },
  webhook_endpoint: { create: { status: 'paused' } },
}

/** Creates the object of the API's example, and the objects that it refers to. @param more tells two of a type apart */
export async function create(api: Requests, type: string, more = ''): Promise<Json> {
  return api.post(examples[type]!.path, await bodyOf(api, type, 'create', more))
}

/** Changes an object as in the API's example. */
export async function update(api: Requests, type: string, id: string): Promise<void> {
  await api.patch(`${examples[type]!.path}/${id}`, await bodyOf(api, type, 'update', '-2'))
}

async function bodyOf(
  api: Requests,
  type: string,
  verb: 'create' | 'update',
  more: string,
): Promise<Record<string, unknown>> {
  const example = examples[type]!
  const body: Record<string, unknown> = { ...example[verb], ...changes[type]?.[verb] }
  for (const [name, value] of Object.entries(body))
    body[name] = await mapTexts(value, (text) =>
      example.varied.includes(name) ? vary(text, api.unique + more) : withCreatedObject(api, text, more),
    )
  return body
}

/** Keys and slugs have no spaces, and domains and addresses keep their ends. */
function vary(text: string, unique: string): string {
  if (/[.@]/.test(text)) return `${unique}.${text}`
  return /[A-Z ]/.test(text) ? `${text} ${unique}` : `${text}${unique}`
}

/** Replaces the id of an example by that of a new object. */
async function withCreatedObject(api: Requests, text: string, more: string): Promise<string> {
  const [, prefix] = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text) ?? []
  const [type] = Object.entries(examples).find(([, example]) => example.prefix === prefix) ?? []
  return type === undefined ? text : (await create(api, type, more)).id
}

async function mapTexts(value: unknown, map: (text: string) => string | Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapTexts(item, map)))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await mapTexts(member, map)])
  return Object.fromEntries(await Promise.all(members))
}
