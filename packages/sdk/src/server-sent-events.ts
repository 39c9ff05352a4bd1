/** A message of a stream. A member is undefined if the message has no such line. */
export type Message = {
  /** The type; undefined for an event of the journal, whose data has one. */
  event: string | undefined
  data: string | undefined
  /** The position after this message. */
  id: string | undefined
  /** The pause before a reconnect that the server asks for, in milliseconds. */
  retryMs: number | undefined
}

const empty: Message = { event: undefined, data: undefined, id: undefined, retryMs: undefined }

/**
 * Parses lines of Server-Sent Events (WHATWG HTML, section 9.2). Messages without data are included: the first one of
 * a stream of Backline has its start position.
 */
export async function* messagesIn(lines: AsyncIterable<string>): AsyncGenerator<Message> {
  let message = empty
  for await (const line of lines) {
    if (line === '') {
      yield message
      message = empty
    } else message = withLine(message, line)
  }
}

function withLine(message: Message, line: string): Message {
  const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!
  switch (field) {
    case 'data':
      return { ...message, data: message.data === undefined ? value : `${message.data}\n${value}` }
    case 'event':
      return { ...message, event: value }
    case 'id':
      return { ...message, id: value }
    case 'retry':
      return /^\d+$/.test(value) ? { ...message, retryMs: Number(value) } : message
    default:
      return message // comments, and fields that Backline does not send
  }
}
