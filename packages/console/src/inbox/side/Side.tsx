import type { Conversation } from '@backline/sdk'
import { Facts } from '../../design/Page.tsx'

export function Side({ conversation }: { conversation: Conversation }) {
  return <Facts facts={[['ID', conversation.id]]} />
}
