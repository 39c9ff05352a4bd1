import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { operatorStatusTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  ...operatorStatusTexts,
  next: { en: 'Take the next conversation', de: 'Nächste übernehmen' },
  markUnread: { en: 'Mark as unread', de: 'Als ungelesen markieren' },
  markUnreadFailed: {
    en: 'The conversation was not marked as unread',
    de: 'Die Konversation wurde nicht als ungelesen markiert',
  },
  claim: { en: 'Take', de: 'Übernehmen' },
  claimFailed: { en: 'The conversation was not taken', de: 'Die Konversation wurde nicht übernommen' },
  assignTo: { en: 'Assign to…', de: 'Zuweisen an …' },
  assignFailed: { en: 'The conversation was not assigned', de: 'Die Konversation wurde nicht zugewiesen' },
  me: { en: (name: string) => `${name} (you)`, de: (name: string) => `${name} (du)` },
  holdFailed: {
    en: 'The conversation was not put on hold',
    de: 'Die Konversation wurde nicht zurückgestellt',
  },
  holdUntil: { en: 'Until', de: 'Bis' },
  holdUntilHint: {
    en: 'Without a time, the hold lasts as long as its reason says.',
    de: 'Ohne Zeitpunkt bleibt sie zurückgestellt, solange der Grund es vorsieht.',
  },
  noHoldReasons: {
    en: 'There are no hold reasons yet. An administrator creates them in the set-up.',
    de: 'Es gibt noch keine Gründe. Administratoren legen sie in der Einrichtung an.',
  },
  noteRequired: { en: 'This reason requires a note.', de: 'Dieser Grund verlangt eine Notiz.' },
  resumeFailed: { en: 'The hold was not ended', de: 'Die Konversation wurde nicht fortgesetzt' },
  resolveFailed: { en: 'The conversation was not resolved', de: 'Die Konversation wurde nicht gelöst' },
  requiredTitle: { en: 'Required before resolving', de: 'Vor dem Lösen auszufüllen' },
  requiredFirst: {
    en: (fields: string) => `Required before the conversation is resolved: ${fields}.`,
    de: (fields: string) => `Auszufüllen, bevor die Konversation gelöst wird: ${fields}.`,
  },
  valueRequired: { en: 'Required', de: 'Pflichtfeld' },
  fieldsFailed: { en: 'The fields were not saved', de: 'Die Felder wurden nicht gespeichert' },
  reopenFailed: {
    en: 'The conversation was not reopened',
    de: 'Die Konversation wurde nicht wieder geöffnet',
  },
  close: { en: 'Close for good…', de: 'Endgültig schließen …' },
  closeTitle: { en: 'Close this conversation?', de: 'Diese Konversation schließen?' },
  closeWarning: {
    en: 'It cannot be reopened. Later messages of the end user start a new conversation.',
    de: 'Sie kann nicht wieder geöffnet werden. Spätere Nachrichten beginnen eine neue Konversation.',
  },
  closeNow: common.close,
  closeFailed: { en: 'The conversation was not closed', de: 'Die Konversation wurde nicht geschlossen' },
  priorityFailed: { en: 'The priority was not changed', de: 'Die Priorität wurde nicht geändert' },
  changeTags: { en: 'Change tags', de: 'Tags ändern' },
  moreTags: { en: (count: number) => `${count} more`, de: (count: number) => `${count} weitere` },
  findTag: { en: 'Find a tag, or type a new one', de: 'Tag suchen oder neu eingeben' },
  createTag: { en: (name: string) => `Create “${name}”`, de: (name: string) => `„${name}“ anlegen` },
  noTags: { en: 'No tag found', de: 'Kein Tag gefunden' },
  tagsFailed: { en: 'The tags were not changed', de: 'Die Tags wurden nicht geändert' },
  merge: { en: 'Merge into another…', de: 'Mit anderer zusammenführen …' },
  mergeTitle: { en: 'Merge into another conversation', de: 'Mit einer anderen Konversation zusammenführen' },
  mergeWarning: {
    en: 'This conversation is closed for good. Its messages are then shown with those of the other one.',
    de: 'Diese Konversation wird endgültig geschlossen. Ihre Nachrichten stehen dann bei denen der anderen.',
  },
  mergeChoice: {
    en: 'Other conversations of the end user',
    de: 'Andere Konversationen mit diesem Endkunden',
  },
  mergeNone: {
    en: 'This end user has no other conversation that is not closed.',
    de: 'Es gibt keine andere Konversation mit diesem Endkunden, die nicht geschlossen ist.',
  },
  mergeId: { en: 'Or the id of a conversation', de: 'Oder die ID einer Konversation' },
  mergeNow: common.merge,
  mergeFailed: {
    en: 'The conversations were not merged',
    de: 'Die Konversationen wurden nicht zusammengeführt',
  },
  changedMeanwhile: { en: 'Somebody was faster', de: 'Jemand war schneller' },
  nowShown: { en: 'This page now shows it.', de: 'Diese Seite zeigt es jetzt.' },
  newMessage: { en: 'A new message has arrived.', de: 'Eine neue Nachricht ist da.' },
})
