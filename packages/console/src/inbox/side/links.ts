/** The address of a conversation, relative to the inbox. */
export const conversationHref = (id: string): string => `/conversations/${id}`
