/** The types of lines, in the order in which they are imported: references then find their objects. */
export const simpleTypes = [
  'operator',
  'company',
  'tag',
  'department',
  'category',
  'end_user',
  'kb_collection',
  'macro',
  'kb_article',
  'faq',
] as const
export type SimpleType = (typeof simpleTypes)[number]

export const lineTypes = [...simpleTypes, 'conversation', 'message'] as const
export type LineType = (typeof lineTypes)[number]

/** The ways to treat an object that exists already. */
export const conflictPolicies = ['skip', 'update'] as const

/** The params of an import. */
export type ImportParams = {
  file_id: string
  source: string
  on_conflict: (typeof conflictPolicies)[number]
}

/** `faults` are lines that are no objects; `links` are references between conversations. */
export const stages = ['faults', ...simpleTypes, 'conversations', 'links'] as const
export type Stage = (typeof stages)[number]

/**
 * Where an import goes on: in each process, the same lines are at the same place of its local files.
 * - `at`: the offset in the file of the stage; among conversations, the index of the bucket
 * - `unit`, `message`: the next conversation of the bucket, and its next message
 */
export type ImportState = { stage: Stage; at: number; unit: number; message: number }

export const fromTheStart: ImportState = { stage: 'faults', at: 0, unit: 0, message: 0 }

/** The scope that lines of each type need. */
export const scopeOf: Record<LineType, string> = {
  operator: 'operators:write',
  company: 'companies:write',
  tag: 'tags:write',
  department: 'departments:write',
  category: 'categories:write',
  end_user: 'end_users:write',
  kb_collection: 'kb:write',
  macro: 'macros:write',
  kb_article: 'kb:write',
  faq: 'faqs:write',
  conversation: 'conversations:write',
  message: 'messages:write',
}
