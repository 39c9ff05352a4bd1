import type { FilterTree } from '@backline/sdk'
import { useRouter } from 'wouter'

/** The address of a conversation in the inbox, for links of all areas. */
export function useConversationPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/[^/]+$/, 'inbox')}/all/${id}`
}

/** The address of the conversations in the inbox that meet all of some conditions. */
export function useInboxPath(): (conditions: readonly FilterTree[]) => string {
  const { base } = useRouter()
  return (all) =>
    `~${base.replace(/[^/]+$/, 'inbox')}/all?${new URLSearchParams({ filter: JSON.stringify({ all }) })}`
}

/** The address of the page of a person, for links of all areas. */
export function usePersonPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/[^/]+$/, 'people')}/${id}`
}

/** The address of the page of a company, for links of all areas. */
export function useCompanyPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/[^/]+$/, 'companies')}/${id}`
}

/** The address of the first steps, for links of all areas. */
export function useStartPath(): string {
  const { base } = useRouter()
  return `~${base.replace(/[^/]+$/, 'get_started')}`
}

/** The address of a page of the set-up, for links of all areas. */
export function useSetupPath(): (path: string) => string {
  const { base } = useRouter()
  return (path) => `~${base.replace(/[^/]+$/, 'setup')}/${path}`
}
