import type { Conversation, Message, ReadState } from '@backline/sdk'

type LastMessage = NonNullable<Conversation['last_message']>

const mostUnread = 100
const mostCharacters = 140

/** The conversation after a new message, for an operator. */
export function withNewMessage(known: Conversation, message: Message, operatorId: string): Conversation {
  const { sequence, visibility } = message
  if (sequence === null) return known
  const { read_state } = known
  return {
    ...known,
    ...(read_state && { read_state: withUnread(read_state, message, sequence, operatorId) }),
    ...(visibility === 'public' && { last_message: lastMessageOf(message, sequence, null) }),
  }
}

/** The conversation after its last message was edited or redacted. */
export function withChangedMessage(known: Conversation, message: Message): Conversation {
  const { last_message: last } = known
  if (last?.message_id !== message.id || message.sequence === null) return known
  return { ...known, last_message: lastMessageOf(message, message.sequence, last.author_name) }
}

/** One's own message reads what came before it; the system's are never unread. */
function withUnread(state: ReadState, message: Message, sequence: number, operatorId: string): ReadState {
  if (sequence <= state.up_to_sequence || message.author_side === 'system') return state
  if (message.operator_id === operatorId) return { ...state, up_to_sequence: sequence, unread_count: 0 }
  return { ...state, unread_count: Math.min(state.unread_count + 1, mostUnread) }
}

const lastMessageOf = (message: Message, sequence: number, author_name: string | null): LastMessage => ({
  message_id: message.id,
  sequence,
  author_side: message.author_side,
  author_id: message.operator_id ?? message.author_end_user_id,
  author_name,
  text: textOf(message),
  attachment_count: message.attachments.length,
  created_at: message.created_at,
})

/** Tags between which words are apart. */
const blocks = /<(?!\/?(?:a|code|del|em|strong)\b)/g

/** The beginning of the text of a message on one line, as the server makes it. */
export function textOf({ body, body_html, body_format }: Message): string {
  const text =
    body_format === 'text' || body_html === null
      ? body
      : (new DOMParser().parseFromString(body_html.replace(blocks, ' <'), 'text/html').body.textContent ?? '')
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= mostCharacters
    ? characters.join('')
    : `${characters.slice(0, mostCharacters - 1).join('')}…`
}
