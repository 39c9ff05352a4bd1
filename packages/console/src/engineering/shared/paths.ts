import { useRouter } from 'wouter'

/** The address of a conversation in the inbox, for links outside of this area. */
export function useConversationPath(): (id: string) => string {
  const { base } = useRouter()
  return (id) => `~${base.replace(/engineering$/, 'inbox')}/all/${id}`
}
