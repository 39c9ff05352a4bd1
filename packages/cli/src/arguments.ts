import { ApiError } from '@backline/server/platform/kernel/errors.ts'
import { type ArgumentError, UsageError } from './errors.ts'

/**
 * Runs `work`, which validates `body` by the rules of the API. Errors of a field are reported for the argument of the
 * field. @throws UsageError that lists every invalid argument
 */
export async function checkingArguments<Result>(
  command: string,
  argumentOf: Record<string, string>,
  body: Record<string, unknown>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error
    const errors = (error.details.errors ?? []).map((fault): ArgumentError => {
      const [field = '', item] = 'pointer' in fault ? fault.pointer.slice(1).split('/') : []
      const given = item === undefined ? body[field] : (body[field] as unknown[])[Number(item)]
      const quoted = item === undefined ? '' : `${JSON.stringify(given)} `
      return {
        argument: argumentOf[field] ?? field,
        code: fault.code,
        detail: quoted + fault.detail,
      }
    })
    const message = errors.map(({ argument, detail }) => `${argument} ${detail}`).join('; ')
    throw new UsageError(message, command, errors)
  }
}
