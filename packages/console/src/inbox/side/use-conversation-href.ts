import { useLocation } from 'wouter'

/** Addresses of conversations, relative to the inbox, which stay in the view that is open. */
export function useConversationHref(): (id: string) => string {
  const [path] = useLocation()
  const [, view] = path.split('/')
  return (id) => `/${view || 'open'}/${id}`
}
