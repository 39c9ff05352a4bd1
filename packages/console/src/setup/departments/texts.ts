import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: common.departments,
  intro: {
    en: 'Teams that conversations belong to, and how each hands them to its members.',
    de: 'Teams, zu denen Konversationen gehören, und wie jedes sie an seine Mitglieder verteilt.',
  },
  create: { en: 'New department', de: 'Neue Abteilung' },
  emptyHint: {
    en: 'Create one for each team, then add its members.',
    de: 'Lege für jedes Team eine an und füge dann die Mitglieder hinzu.',
  },
  emailHint: {
    en: 'For your use: nothing is sent to it.',
    de: 'Für euch selbst: Es wird nichts dorthin geschickt.',
  },
  isPublic: { en: 'End users can choose it', de: 'Endkunden können sie wählen' },
  assignment: { en: 'Assignment', de: 'Zuweisung' },
  assignmentIntro: { en: 'Who gets a new conversation.', de: 'Wer eine neue Konversation bekommt.' },
  strategy: { en: 'Strategy', de: 'Verfahren' },
  manual: { en: 'By hand', de: 'Von Hand' },
  manualMeans: {
    en: 'Conversations wait until somebody takes or assigns them.',
    de: 'Konversationen warten, bis jemand sie nimmt oder zuweist.',
  },
  round_robin: { en: 'In turn', de: 'Reihum' },
  round_robinMeans: {
    en: 'Members who are online get the conversations one after the other.',
    de: 'Mitglieder, die online sind, bekommen die Konversationen der Reihe nach.',
  },
  least_busy: { en: 'By load', de: 'Nach Auslastung' },
  least_busyMeans: {
    en: 'The member who is online and has the fewest open conversations gets the next one.',
    de: 'Die nächste Konversation bekommt, wer online ist und die wenigsten offenen hat.',
  },
  most: { en: 'Most open conversations per member', de: 'Höchstens offene Konversationen pro Mitglied' },
  noLimit: { en: 'no limit', de: 'ohne Grenze' },
  fallback: { en: 'Fallback', de: 'Vertretung' },
  fallbackHint: {
    en: 'While no member is available, this department receives the conversations.',
    de: 'Ist kein Mitglied verfügbar, bekommt diese Abteilung die Konversationen.',
  },
  noFallback: { en: 'No fallback', de: 'Keine Vertretung' },
  sla: { en: 'Default SLA', de: 'Standard-SLA' },
  slaHint: {
    en: 'For conversations that match no other SLA.',
    de: 'Für Konversationen, auf die kein anderes SLA passt.',
  },
  noSla: { en: 'No SLA', de: 'Kein SLA' },
  members: { en: 'Members', de: 'Mitglieder' },
  membersIntro: {
    en: 'Changes of members are stored at once.',
    de: 'Änderungen an Mitgliedern werden sofort gespeichert.',
  },
  membersLater: {
    en: 'Create the department first, then add its members.',
    de: 'Lege zuerst die Abteilung an und füge dann Mitglieder hinzu.',
  },
  addMember: { en: 'Add a member', de: 'Mitglied hinzufügen' },
  addMemberHint: { en: 'Search by name or e-mail address', de: 'Nach Name oder E-Mail-Adresse suchen' },
  noMembers: { en: 'No members yet', de: 'Noch keine Mitglieder' },
  addName: { en: (name: string) => `Add ${name}`, de: (name: string) => `${name} hinzufügen` },
  notChanged: { en: 'The members were not changed', de: 'Die Mitglieder wurden nicht geändert' },
  availability: {
    en: (online: string, members: string) => `${online} of ${members} online`,
    de: (online: string, members: string) => `${online} von ${members} online`,
  },
  openNow: {
    en: (open: string, waiting: string) => `${open} open, ${waiting} without assignee`,
    de: (open: string, waiting: string) => `${open} offen, ${waiting} nicht zugewiesen`,
  },
})
