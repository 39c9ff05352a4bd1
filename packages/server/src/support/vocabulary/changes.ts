import {
  type AuditedEvent,
  type Changes,
  changesOfMembers,
  changesOf as changesWith,
} from '../../platform/journal/audit-chain.ts'

/** Fields that the audit log shows key by key. */
const maps = new Set(['custom_fields'])

/** The changes of an event by field, as the audit log shows them. */
export const changesOf = (event: AuditedEvent): Changes => changesWith(event, maps)

/** Changes by field, in the form of the audit log. */
export const changesByKey = (changes: [field: string, change: Changes[string]][]): Changes =>
  changesOfMembers(changes, maps)
