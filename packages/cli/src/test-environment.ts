import { invocation } from '@backline/server/compose/invocation.ts'
import type { Access } from './access/access.ts'
import { CommandError } from './errors.ts'

/** For commands that write invented data. @throws CommandError for a live key */
export function requireTestEnvironment(command: string, { environment }: Access): void {
  if (environment === 'test') return
  const cure = `use a test key: ${invocation} login --profile test, then --profile test`
  throw new CommandError('live_key', `${command} writes invented data and refuses live keys; ${cure}`)
}
