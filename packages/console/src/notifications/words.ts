import { defineTexts } from '../texts/define.ts'
import { pageTexts } from '../texts/pages.ts'
import { plural } from '../texts/plural.ts'
import { clockTexts } from '../texts/values.ts'

/** Texts of the list, of what is shown on the desktop, and of the settings. */
export const words = defineTexts({
  ...clockTexts,
  ...pageTexts,
  unreadOnly: { en: 'Unread', de: 'Ungelesen' },
  unreadMark: { en: 'Unread:', de: 'Ungelesen:' },
  noUnread: { en: 'You have read everything', de: 'Du hast alles gelesen' },
  none: { en: 'No notifications yet', de: 'Noch keine Benachrichtigungen' },
  noneMeans: {
    en: 'You are told about conversations that are yours, that you follow, or in which somebody mentions you.',
    de: 'Du erfährst hier von Konversationen, die deine sind, denen du folgst oder in denen dich jemand erwähnt.',
  },
  readAll: { en: 'Mark all as read', de: 'Alle als gelesen markieren' },
  markRead: { en: 'Mark as read', de: 'Als gelesen markieren' },
  markUnread: { en: 'Mark as unread', de: 'Als ungelesen markieren' },
  gone: { en: 'The conversation was deleted', de: 'Die Konversation wurde gelöscht' },
  noSubject: { en: 'No subject', de: 'Kein Betreff' },

  somebody: { en: 'Somebody', de: 'Jemand' },
  mentionedYou: {
    en: (name: string) => `${name} mentioned you`,
    de: (name: string) => `${name} hat dich erwähnt`,
  },
  assigned: { en: 'Assigned to you', de: 'Dir zugewiesen' },
  reassigned: { en: 'Assigned to somebody else', de: 'Jemand anderem zugewiesen' },
  unassigned: { en: 'No longer assigned to you', de: 'Dir nicht mehr zugewiesen' },
  inDepartment: { en: 'Moved to your department', de: 'In deine Abteilung verschoben' },
  answered: { en: (name: string) => `${name} answered`, de: (name: string) => `${name} hat geantwortet` },
  followedUp: { en: 'Follow-up', de: 'Folgeanfrage' },
  by: {
    en: (what: string, name: string) => `${what} by ${name}`,
    de: (what: string, name: string) => `${what} von ${name}`,
  },
  overdue: { en: (clock: string) => `${clock} overdue`, de: (clock: string) => `${clock} überfällig` },
  dueSoon: { en: (clock: string) => `${clock} due soon`, de: (clock: string) => `${clock} bald fällig` },
  times: {
    en: (count: number) => plural('en', count, { one: 'once', other: '# times' }),
    de: (count: number) => plural('de', count, { other: '#-mal' }),
  },

  preferencesIntro: {
    en: 'What you are told of, and how. Others have settings of their own.',
    de: 'Wovon und wie du erfährst. Andere haben eigene Einstellungen.',
  },
  kinds: { en: 'What you are told of', de: 'Wovon du erfährst' },
  kindsHint: {
    en: 'These settings are yours on every device, and apply to what happens from now on.',
    de: 'Diese Einstellungen gelten für dich auf jedem Gerät, und für alles, was von jetzt an geschieht.',
  },
  happens: { en: 'When', de: 'Wenn' },
  inList: { en: 'In the list', de: 'In der Liste' },
  outside: { en: 'Desktop and sound', de: 'Desktop und Ton' },
  mentionedKind: { en: 'somebody mentions you in a note', de: 'dich jemand in einer Notiz erwähnt' },
  assignedKind: { en: 'a conversation becomes yours', de: 'eine Konversation deine wird' },
  handedOverKind: {
    en: 'yours becomes somebody else’s, or one comes to your department',
    de: 'deine jemand anderem zugewiesen wird oder eine in deine Abteilung kommt',
  },
  answeredKind: { en: 'an end user answers', de: 'ein Endkunde antwortet' },
  followedUpKind: {
    en: 'an end user comes back to a closed conversation',
    de: 'ein Endkunde auf eine geschlossene Konversation zurückkommt',
  },
  breachedKind: { en: 'an SLA target was missed', de: 'ein SLA-Ziel verfehlt wurde' },
  warningKind: { en: 'an SLA target is about to be missed', de: 'ein SLA-Ziel bald verfehlt wird' },
  following: { en: 'Follow conversations', de: 'Konversationen folgen' },
  followingHint: {
    en: 'Of conversations that you follow you are told as of your own.',
    de: 'Von Konversationen, denen du folgst, erfährst du wie von deinen eigenen.',
  },
  onMention: { en: 'When somebody mentions me', de: 'Wenn mich jemand erwähnt' },
  onReply: { en: 'When I reply', de: 'Wenn ich antworte' },
  thisBrowser: { en: 'In this browser', de: 'In diesem Browser' },
  thisBrowserHint: {
    en: 'These two settings are stored in this browser only. Nothing is shown or heard while your status is Busy, or while the conversation is in front of you.',
    de: 'Diese beiden Einstellungen speichert nur dieser Browser. Solange dein Status „Beschäftigt“ ist oder du die Konversation vor dir hast, wird nichts gezeigt und ertönt nichts.',
  },
  showOnDesktop: { en: 'Show notifications on the desktop', de: 'Benachrichtigungen auf dem Desktop zeigen' },
  desktopMeans: {
    en: 'With the name, the subject and the first words of the message. The browser asks you to allow it.',
    de: 'Mit Name, Betreff und den ersten Worten der Nachricht. Der Browser fragt dich, ob du es erlaubst.',
  },
  desktopDenied: {
    en: 'This browser blocks notifications of this page. Allow them in its settings for the page, then try again.',
    de: 'Dieser Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in seinen Einstellungen für die Seite und versuche es dann erneut.',
  },
  desktopMissing: {
    en: 'This browser cannot show notifications on the desktop: it is one of a phone, or the page was not opened by https://.',
    de: 'Dieser Browser kann keine Benachrichtigungen auf dem Desktop zeigen: Er ist der eines Telefons, oder die Seite wurde nicht über https:// geöffnet.',
  },
  desktopSample: { en: 'They will look like this.', de: 'So werden sie aussehen.' },
  playSound: { en: 'Play a sound', de: 'Einen Ton abspielen' },
})
