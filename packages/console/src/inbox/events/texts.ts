import type { Event } from '@backline/sdk'
import { defineNames, defineTexts } from '../../texts/define.ts'

/** Those who make changes, and what they did, as a sentence without its subject. */
export const texts = defineTexts({
  you: { en: 'You', de: 'Du' },
  operator: { en: 'Team', de: 'Team' },
  system: { en: 'Automatic', de: 'Automatisch' },
  mailbox: { en: 'A mail', de: 'Eine E-Mail' },
  api: { en: 'Your software', de: 'Eure Software' },
  created: { en: 'started the conversation', de: 'hat die Konversation begonnen' },
  imported: { en: 'imported the conversation', de: 'hat die Konversation importiert' },
  assigned: { en: (to: string) => `assigned it to ${to}`, de: (to: string) => `hat sie ${to} zugewiesen` },
  follows: { en: 'follows it', de: 'folgt ihr' },
  letFollow: {
    en: (name: string) => `let ${name} follow it`,
    de: (name: string) => `lässt ${name} ihr folgen`,
  },
  followsNoMore: { en: 'follows it no more', de: 'folgt ihr nicht mehr' },
  endedFollowing: {
    en: (name: string) => `ended that ${name} follows it`,
    de: (name: string) => `hat beendet, dass ${name} ihr folgt`,
  },
  tookIt: { en: 'took it', de: 'hat sie übernommen' },
  unassigned: { en: 'removed the assignee', de: 'hat die Zuweisung entfernt' },
  moved: { en: (to: string) => `moved it to ${to}`, de: (to: string) => `hat sie nach ${to} verschoben` },
  movedAndRouted: {
    en: (department: string, name: string) => `moved it to ${department}, which assigned it to ${name}`,
    de: (department: string, name: string) =>
      `hat sie nach ${department} verschoben, von dort ging sie an ${name}`,
  },
  noDepartment: { en: 'no department', de: 'keine Abteilung' },
  held: {
    en: (reason: string) => `put it on hold: ${reason}`,
    de: (reason: string) => `hat sie zurückgestellt: ${reason}`,
  },
  heldUntil: { en: (time: string) => `until ${time}`, de: (time: string) => `bis ${time}` },
  resumed: { en: 'ended the hold', de: 'hat sie fortgesetzt' },
  resolved: { en: 'resolved it', de: 'hat sie gelöst' },
  reopened: { en: 'reopened it', de: 'hat sie wieder geöffnet' },
  closed: { en: 'closed it', de: 'hat sie geschlossen' },
  merged: { en: 'merged it into another conversation', de: 'hat sie mit einer anderen zusammengeführt' },
  tagsAdded: { en: (tags: string) => `added ${tags}`, de: (tags: string) => `hat ${tags} hinzugefügt` },
  tagsRemoved: { en: (tags: string) => `removed ${tags}`, de: (tags: string) => `hat ${tags} entfernt` },
  and: { en: 'and', de: 'und' },
  slaWarning: { en: 'An SLA deadline is near', de: 'Eine SLA-Frist läuft bald ab' },
  slaBreached: { en: 'An SLA deadline was missed', de: 'Eine SLA-Frist wurde verpasst' },
  priority: {
    en: (to: string) => `set the priority to ${to}`,
    de: (to: string) => `hat die Priorität auf ${to} gesetzt`,
  },
  status: {
    en: (to: string) => `changed the status to ${to}`,
    de: (to: string) => `hat den Status auf ${to} gesetzt`,
  },
  subject: {
    en: (to: string) => `changed the subject to “${to}”`,
    de: (to: string) => `hat den Betreff auf „${to}“ geändert`,
  },
  noSubject: { en: 'none', de: 'keinen' },
  category: { en: 'changed the category', de: 'hat die Kategorie geändert' },
  fields: { en: (names: string) => `changed ${names}`, de: (names: string) => `hat ${names} geändert` },
})

type TimelineEventType = Extract<Event['type'], `conversation.${string}` | `message.${string}`>

/** A title for each event of a conversation and of its messages: one that is missing does not compile. */
export const eventTitles = defineNames({
  'conversation.created': { en: 'Conversation started', de: 'Konversation begonnen' },
  'conversation.imported': { en: 'Conversation imported', de: 'Konversation importiert' },
  'conversation.updated': { en: 'Details changed', de: 'Einzelheiten geändert' },
  'conversation.assigned': { en: 'Assignment changed', de: 'Zuteilung geändert' },
  'conversation.held': { en: 'Put on hold', de: 'Zurückgestellt' },
  'conversation.resumed': { en: 'Hold ended', de: 'Fortgesetzt' },
  'conversation.resolved': { en: 'Resolved', de: 'Gelöst' },
  'conversation.reopened': { en: 'Reopened', de: 'Wieder geöffnet' },
  'conversation.closed': { en: 'Closed', de: 'Geschlossen' },
  'conversation.merged': { en: 'Merged', de: 'Zusammengeführt' },
  'conversation.tags_changed': { en: 'Tags changed', de: 'Tags geändert' },
  'conversation.follower_added': { en: 'Follower added', de: 'Jemand folgt' },
  'conversation.follower_removed': { en: 'Follower removed', de: 'Jemand folgt nicht mehr' },
  'conversation.read': { en: 'Messages read', de: 'Nachrichten gelesen' },
  'conversation.sla_warning': { en: 'SLA warning', de: 'SLA-Warnung' },
  'conversation.sla_breached': { en: 'SLA target missed', de: 'SLA-Ziel verfehlt' },
  'conversation.deleted': { en: 'Deleted', de: 'Gelöscht' },
  'message.created': { en: 'Message', de: 'Nachricht' },
  'message.updated': { en: 'Message edited', de: 'Nachricht bearbeitet' },
  'message.delivery_changed': { en: 'Delivery of the mail', de: 'Zustellung der E-Mail' },
  'message.redacted': { en: 'Message redacted', de: 'Nachricht geschwärzt' },
  'message.scheduled': { en: 'Message scheduled', de: 'Nachricht geplant' },
  'message.schedule_cancelled': { en: 'Scheduled message cancelled', de: 'Geplante Nachricht abgesagt' },
  'message.schedule_dropped': { en: 'Scheduled message not sent', de: 'Geplante Nachricht nicht gesendet' },
} satisfies Record<TimelineEventType, { en: string; de: string }>)
