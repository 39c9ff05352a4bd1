import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'

export const texts = defineTexts({
  savedViews: { en: 'Saved views', de: 'Gespeicherte Ansichten' },
  savedViewsFailed: {
    en: 'The saved views were not loaded',
    de: 'Die gespeicherten Ansichten wurden nicht geladen',
  },
  open: { en: 'Open', de: 'Offen' },
  mine: { en: 'Mine', de: 'Meine' },
  waiting: { en: 'Pending', de: 'Wartet auf Antwort' },
  to_read: { en: 'Unread', de: 'Ungelesen' },
  following: { en: 'Following', de: 'Folge ich' },
  on_hold: { en: 'On hold', de: 'Zurückgestellt' },
  due: { en: 'Due next', de: 'Als Nächstes fällig' },
  resolved: { en: 'Resolved', de: 'Gelöst' },
  brokenTitle: { en: 'This view no longer works', de: 'Diese Ansicht funktioniert nicht mehr' },
  broken: {
    en: (reason: string) => `The filter of this view no longer works: ${reason}`,
    de: (reason: string) => `Der Filter dieser Ansicht funktioniert nicht mehr: ${reason}`,
  },
  noView: { en: 'There is no such view', de: 'Diese Ansicht gibt es nicht' },
  search: { en: 'Search conversations', de: 'Konversationen durchsuchen' },
  sort: { en: 'Order', de: 'Reihenfolge' },
  '-last_message_at': { en: 'Last message', de: 'Letzte Nachricht' },
  '-created_at': { en: 'Newest', de: 'Neueste' },
  created_at: { en: 'Oldest', de: 'Älteste' },
  '-updated_at': { en: 'Last changed', de: 'Zuletzt geändert' },
  sla_due_at: { en: 'Due next', de: 'Als Nächstes fällig' },
  unread: {
    en: (count: number) => plural('en', count, { one: '# unread message', other: '# unread messages' }),
    de: (count: number) =>
      plural('de', count, { one: '# ungelesene Nachricht', other: '# ungelesene Nachrichten' }),
  },
  notSent: {
    en: (count: number) => `${count} not sent`,
    de: (count: number) => `${count} nicht gesendet`,
  },
  arrived: {
    en: (count: number) => `${count} new`,
    de: (count: number) => `${count} neu`,
  },
  assignedTo: {
    en: (name: string) => `Assigned to ${name}`,
    de: (name: string) => `Zugewiesen an ${name}`,
  },
  nothingToDo: { en: 'Nothing to do', de: 'Nichts zu tun' },
  nothingInView: {
    en: 'No conversation is in this view. Take the next one that waits.',
    de: 'In dieser Ansicht ist keine Konversation. Nimm die nächste, die wartet.',
  },
  nothingMine: {
    en: 'Conversations that are assigned to you appear here. Take the next one that waits.',
    de: 'Hier erscheinen Konversationen, die dir zugewiesen sind. Nimm die nächste, die wartet.',
  },
  allRead: { en: 'Everything is read', de: 'Alles gelesen' },
  allReadMore: {
    en: 'Conversations with messages that you have not read appear here. b marks one as unread.',
    de: 'Hier erscheinen Konversationen mit Nachrichten, die du nicht gelesen hast. b markiert eine als ungelesen.',
  },
  nothingPending: { en: 'Nothing is pending', de: 'Nichts wartet auf Antwort' },
  nothingPendingMore: {
    en: 'Conversations that you have answered appear here until the end user writes again.',
    de: 'Hier erscheinen beantwortete Konversationen, bis der Endkunde wieder schreibt.',
  },
  nothingOnHold: { en: 'Nothing is on hold', de: 'Nichts ist zurückgestellt' },
  nothingOnHoldMore: {
    en: 'Conversations that wait for something else appear here, such as for a bank.',
    de: 'Hier erscheinen Konversationen, die auf etwas anderes warten, etwa auf eine Bank.',
  },
  nothingDue: { en: 'Nothing is due', de: 'Nichts ist fällig' },
  nothingDueMore: {
    en: 'Conversations with an SLA deadline appear here, the most urgent one first.',
    de: 'Hier erscheinen Konversationen mit einer SLA-Frist, die dringendste zuerst.',
  },
  nothingResolved: { en: 'Nothing is resolved yet', de: 'Noch nichts gelöst' },
  nothingResolvedMore: {
    en: 'Resolved and closed conversations appear here. A resolved one opens again when the end user writes.',
    de: 'Hier erscheinen gelöste und geschlossene Konversationen. Gelöste öffnen sich, wenn der Endkunde schreibt.',
  },
  nothingMatches: {
    en: 'No conversation of this view meets all filters.',
    de: 'Keine Konversation dieser Ansicht erfüllt alle Filter.',
  },
  nothingFoundMore: {
    en: 'All words must occur in the subject, in one message or in the name. The ID of a conversation finds it, too.',
    de: 'Alle Wörter müssen im Betreff, in einer Nachricht oder im Namen vorkommen. Auch die ID einer Konversation findet sie.',
  },
  searchAll: { en: 'Search all conversations', de: 'In allen Konversationen suchen' },
  next: { en: 'Take the next conversation', de: 'Nächste übernehmen' },
  took: { en: 'Taken', de: 'Übernommen' },
  waitingTaken: { en: 'The next by waiting time', de: 'Die nächste nach Wartezeit' },
  dueTaken: { en: 'The next by due time', de: 'Die nächste nach Fälligkeit' },
  priorityTaken: { en: 'The next by priority', de: 'Die nächste nach Priorität' },
  viewTaken: { en: 'The next of the view', de: 'Die nächste der Ansicht' },
  nobodyWaits: { en: 'No conversation is waiting', de: 'Es wartet keine Konversation' },
  nextFailed: { en: 'No conversation was taken', de: 'Keine Konversation übernommen' },
  noneSelected: { en: 'No conversation selected', de: 'Keine Konversation ausgewählt' },
  noneSelectedMore: {
    en: 'Choose one from the list, or press n for the next one that waits.',
    de: 'Wähle eine aus der Liste, oder drücke n für die nächste, die wartet.',
  },
  firstRun: { en: 'No conversations yet', de: 'Noch keine Konversationen' },
  firstRunMore: {
    en: 'Your software creates conversations by the API. Try it with a key of this environment:',
    de: 'Deine Software legt Konversationen über die API an. Versuche es mit einem Schlüssel dieser Umgebung:',
  },
  firstRunDemo: {
    en: 'Or fill this test environment with an invented support desk:',
    de: 'Oder fülle diese Testumgebung mit einem erfundenen Support:',
  },
  firstRunTest: {
    en: 'There is also a test environment, which can be filled with an invented support desk.',
    de: 'Es gibt auch eine Testumgebung, die sich mit einem erfundenen Support füllen lässt.',
  },
  openTest: { en: 'Open the test environment', de: 'Testumgebung öffnen' },
  fillNow: { en: 'Fill it now', de: 'Jetzt füllen' },
  inbox: { en: 'Inbox', de: 'Eingang' },
  filter: { en: 'Filter', de: 'Filtern' },
  opened: {
    en: (subject: string, person: string) => `Opened: ${subject}, ${person}`,
    de: (subject: string, person: string) => `Geöffnet: ${subject}, ${person}`,
  },
  previousRow: { en: 'Previous in the list', de: 'Vorherige in der Liste' },
  nextRow: { en: 'Next in the list', de: 'Nächste in der Liste' },
  select: { en: 'Select, or take out of the selection', de: 'Auswählen oder abwählen' },
  selectRange: { en: 'In the list: select up to the next', de: 'In der Liste: bis zur nächsten auswählen' },
  selectLoaded: { en: 'Select all that are loaded', de: 'Alle geladenen auswählen' },
  selectNamed: {
    en: (name: string) => `Select “${name}”`,
    de: (name: string) => `„${name}“ auswählen`,
  },
  focusSearch: { en: 'Search in this view', de: 'In dieser Ansicht suchen' },
})
