import { CommandError } from '../errors.ts'
import { printable } from '../text.ts'
import type { Client } from './client.ts'

/** The id of the operator with an e-mail address. @throws CommandError `not_found` */
export async function operatorWith(client: Client, email: string): Promise<string> {
  const { data } = await client.call('GET', '/v1/operators', { query: { email } })
  if (data.length > 0) return data[0].id
  throw new CommandError(
    'not_found',
    `no operator who is not archived has the e-mail address ${printable(email)}; create one with: api post operators -f name=NAME -f email=EMAIL`,
  )
}
