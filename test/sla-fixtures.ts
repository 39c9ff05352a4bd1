import assert from 'node:assert/strict'
import { type Body, succeeded } from './desk.ts'
import type { Answer, Client } from './harness.ts'
import { made } from './macro-fixtures.ts'

/* Fixtures of the tests of SLA configs. */

let names = 0
/** A target that no test meets. */
export const targets = [{ resolution_seconds: 10_000_000 }]

export const config = (client: Client, input: object = {}): Promise<Body> =>
  made(client, 'sla_configs', { name: `Config ${++names}`, targets, ...input })

export const shown = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.get(`/v1/sla_configs/${id}`))

export const reorder = (client: Client, ids: string[]) => client.post('/v1/sla_configs/reorder', { ids })

export function refused({ status, body, text }: Answer, ...faults: [pointer: string, code: string][]): void {
  assert.equal(status, 422, text)
  const told = body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])
  assert.deepEqual(told, faults)
}
