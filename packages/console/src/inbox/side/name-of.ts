import type { EndUser } from '@backline/sdk'

/** What to call a person: the name, or else an address or an id. */
export const nameOf = ({ name, emails, external_id, phones }: EndUser): string | null =>
  name ?? emails[0]?.address ?? external_id ?? phones[0] ?? null
