import { useQueries } from '@tanstack/react-query'
import { useEnvironment } from '../../../data/environment.tsx'
import { isAddress } from '../../../mail/addresses.ts'

const most = 20

/** Those of the addresses that get no mail, as far as the role may know it. */
export function useSuppressed(addresses: string[], isAsked: boolean): string[] {
  const { backline, can } = useEnvironment()
  const asked = isAsked && can('mailboxes:read') ? addresses.filter(isAddress).slice(0, most) : []
  const found = useQueries({
    queries: asked.map((address) => ({
      queryKey: ['email_suppressions', 'of', address],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await backline.emailSuppressions.list({ address, limit: 1 }, { signal })).data.length > 0,
    })),
  })
  return asked.filter((_, i) => found[i]?.data === true)
}
