import { escapePointer } from '../../../platform/http/request/validation.ts'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import type { ValueFault } from '../../../platform/resource/schema.ts'
import type { WebhookEndpoint } from './queries.ts'

/** Own headers of an endpoint's requests, by name. */
export type Headers = Record<string, string>

export const maxHeaders = 20
/** The placeholder of a hidden value. */
export const hidden = '***'

/** Headers that the sender sets, and those that determine framing or routing of the request. */
const reserved =
  /^(?:webhook-.*|content-.*|proxy-.*|host|connection|keep-alive|transfer-encoding|te|trailer|expect|upgrade)$/i

/** Names are compared without regard to case. */
export function faultsInNames(headers: Record<string, string | null>): ValueFault[] {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    const isRepeated = seen.has(key)
    seen.add(key)
    if (!isRepeated && (value === null || !reserved.test(name))) return []
    const detail = isRepeated
      ? 'must not repeat a name; names are case-insensitive'
      : 'is reserved for the server'
    return [{ pointer: `/${escapePointer(name)}`, code: 'not_allowed' as const, detail }]
  })
}

type Sealed = Pick<WebhookEndpoint, 'header_names' | 'headers_sealed'>

/** Decrypts the headers for sending. */
export const openHeaders = async (
  { id, headers_sealed }: Pick<WebhookEndpoint, 'id' | 'headers_sealed'>,
  box: SecretBox,
): Promise<Headers> => (headers_sealed ? JSON.parse(await box.open(headers_sealed, id)) : {})

const seal = async (id: string, headers: Headers, box: SecretBox): Promise<Sealed> => {
  const names = Object.keys(headers)
  return {
    header_names: names,
    headers_sealed: names.length > 0 ? await box.seal(JSON.stringify(headers), id) : null,
  }
}

/**
 * Merges a patch into the headers of an endpoint. Names are case-insensitive; null removes a header, `***` keeps it. A
 * patch without effect keeps the stored value, because encrypting it again would look like a change.
 */
export async function mergedHeaders(
  endpoint: { id: string } & Sealed,
  patch: Record<string, string | null> | null | undefined,
  box: SecretBox,
): Promise<{ headers: Sealed; faults: FieldError[] }> {
  const { id, header_names, headers_sealed } = endpoint
  const same = { header_names, headers_sealed }
  if (patch === undefined) return { headers: same, faults: [] }
  const present = await openHeaders(endpoint, box)
  const { merged, faults } = merge(present, patch)
  const isSame = JSON.stringify(merged) === JSON.stringify(present)
  return { headers: faults.length > 0 || isSame ? same : await seal(id, merged, box), faults }
}

function merge(present: Headers, patch: Record<string, string | null> | null) {
  const merged = new Map(
    Object.entries(present).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  )
  if (patch === null) merged.clear()
  const faults: FieldError[] = []
  for (const [name, value] of Object.entries(patch ?? {})) {
    const key = name.toLowerCase()
    const former = merged.get(key)
    if (value === null) merged.delete(key)
    else if (value !== hidden) merged.set(key, { name, value })
    else if (former) merged.set(key, { name, value: former.value })
    else {
      const detail = 'has no current value to keep'
      faults.push({ pointer: `/headers/${escapePointer(name)}`, code: 'not_allowed', detail })
    }
  }
  if (merged.size > maxHeaders)
    faults.push({ pointer: '/headers', code: 'too_long', detail: `must have at most ${maxHeaders} headers` })
  return { merged: Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value])), faults }
}
