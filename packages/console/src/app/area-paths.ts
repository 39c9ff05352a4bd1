import { useRouter } from 'wouter'

/** The address of a conversation in the inbox, for links of all areas. */
export function useConversationPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/[^/]+$/, 'inbox')}/all/${id}`
}

/** The address of a page of the set-up, for links of all areas. */
export function useSetupPath(): (path: string) => string {
  const { base } = useRouter()
  return (path) => `~${base.replace(/[^/]+$/, 'setup')}/${path}`
}
