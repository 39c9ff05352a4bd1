import type { Instant } from '../../../platform/kernel/clock.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import type { WebhookEndpoint } from './queries.ts'

/**
 * Returns the secrets that sign an endpoint's requests: the current one, and the former one during its grace period.
 */
export function secretsOf(
  endpoint: Pick<WebhookEndpoint, 'id' | 'secret_sealed' | 'former_secret_sealed' | 'former_secret_until'>,
  now: Instant,
  box: SecretBox,
): Promise<string[]> {
  const { id, secret_sealed, former_secret_sealed, former_secret_until } = endpoint
  const inGrace = former_secret_until !== null && now < former_secret_until
  const sealed = inGrace && former_secret_sealed ? [secret_sealed, former_secret_sealed] : [secret_sealed]
  return Promise.all(sealed.map((each) => box.open(each, id)))
}
