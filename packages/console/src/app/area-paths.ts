import { useRouter } from 'wouter'

/** The address of a conversation in the inbox, for links of all areas. */
export function useConversationPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/[^/]+$/, 'inbox')}/all/${id}`
}
