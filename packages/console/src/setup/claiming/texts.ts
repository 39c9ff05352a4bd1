import { defineTexts } from '../../texts/define.ts'

/** The settings of departments and of the workspace by which operators get conversations. */
export const claimingTexts = defineTexts({
  claimOrder: { en: 'Next conversation', de: 'Nächste Konversation' },
  waiting: { en: 'The one that has waited longest', de: 'Die, die am längsten wartet' },
  due: { en: 'The one that is due first', de: 'Die, die zuerst fällig ist' },
  priority: { en: 'The one with the highest priority', de: 'Die mit der höchsten Priorität' },
  waitingMeans: {
    en: 'Deadlines and priorities do not count.',
    de: 'Fristen und Prioritäten zählen nicht.',
  },
  dueMeans: {
    en: 'What is overdue most comes first, and what has no SLA clock comes last, by priority.',
    de: 'Was am längsten überfällig ist, kommt zuerst; was keine SLA-Frist hat, zuletzt, nach Priorität.',
  },
  priorityMeans: {
    en: 'From urgent to low. Of the same priority, the one that is due first.',
    de: 'Von dringend bis niedrig. Bei gleicher Priorität die, die zuerst fällig ist.',
  },
  inDepartment: {
    en: 'Counts where the department is named, as programs do; the key n goes by the workspace.',
    de: 'Zählt, wo die Abteilung genannt wird, etwa von Programmen; für die Taste n gilt der Workspace.',
  },
  replyAssigns: {
    en: 'A reply assigns the conversation',
    de: 'Eine Antwort weist die Konversation zu',
  },
  replyAssignsMeans: {
    en: 'Who replies to a conversation that is assigned to nobody, or begins one, has it from then on.',
    de: 'Wer auf eine nicht zugewiesene Konversation antwortet oder eine beginnt, hat sie von da an.',
  },
})
