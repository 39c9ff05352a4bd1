import type { Operation } from './document.ts'

/** The method of an operation: `['conversations', 'messages', 'list']` is `backline.conversations.messages.list`. */
export type MethodName = string[]

/** Names that the rule would not give. */
const exceptions: Record<string, MethodName> = {
  markConversationRead: ['conversations', 'markRead'],
  markMyConversationRead: ['me', 'conversations', 'markRead'],
  markReadForMe: ['conversations', 'markReadForMe'],
  markUnreadForMe: ['conversations', 'markUnreadForMe'],
  sendOperatorHeartbeat: ['operators', 'heartbeat'],
  voteOnKbArticle: ['kb', 'articles', 'vote'],
  voteOnFaq: ['faqs', 'vote'],
  upsertCompany: ['companies', 'upsert'],
  getAuditHead: ['auditLog', 'head'],
  getFileContent: ['files', 'content'],
  getMyFileContent: ['me', 'files', 'content'],
  getEmailedFile: ['files', 'emailed'],
  getKbArticleFile: ['kb', 'articles', 'file'],
  getService: ['service', 'retrieve'],
  getHealth: ['service', 'health'],
  getReadiness: ['service', 'readiness'],
  getOpenapi: ['service', 'openapi'],
}

/**
 * Groups follow the path without its parameters, and the verb is that of the `operationId`: `GET
 * /v1/conversations/{id}/messages`, `listMessages` is `conversations.messages.list`. A path that ends with the verb is
 * an action of the group before: `POST /v1/conversations/{id}/claim` is `conversations.claim`. Null for pages and other
 * texts.
 */
export function methodOf({ id, path, kind }: Operation): MethodName | null {
  if (kind === 'text') return null
  if (exceptions[id]) return exceptions[id]
  const segments = path.replace(/^\/(v1\/)?/, '').split('/')
  const groups = segments.filter((segment) => !segment.startsWith('{')).map(camel)
  const [verb] = /^[a-z]+/.exec(id)!
  const [last] = segments.at(-1)!.split('_')
  if (last === verb) return groups
  return [...groups, verb === 'get' ? 'retrieve' : verb]
}

export const camel = (snake: string): string =>
  snake.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `['kb', 'articles']` becomes `KbArticles`. */
export const pascal = (names: string[]): string =>
  names.map((name) => name[0]!.toUpperCase() + name.slice(1)).join('')
