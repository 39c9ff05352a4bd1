import { type CallArguments, Client } from './client.ts'
import type { Operations } from './operations.generated.ts'
import type { BacklineOptions } from './options.ts'
import { Resources } from './resources.generated.ts'
import * as webhooks from './webhooks.ts'

/**
 * A client of the Backline API.
 *
 * Methods reject with a class of `BacklineError` for each kind of failure. Requests that fail for a transient reason
 * are retried; every write has an idempotency key, so that its retries perform it once.
 */
export class Backline extends Resources {
  /** Verifies webhooks. */
  readonly webhooks: typeof webhooks = webhooks

  /** @throws TypeError for options that cannot work */
  constructor(options: BacklineOptions) {
    super(new Client(options))
  }

  /**
   * Calls an operation by its `operationId`, with `params`, `query` and `body`. All operations of the API reference
   * are here, also those without a method.
   */
  call<Name extends keyof Operations>(
    operationId: Name,
    ...input: CallArguments<Name>
  ): Operations[Name]['reply'] {
    return this.client.call(operationId, ...input)
  }
}
