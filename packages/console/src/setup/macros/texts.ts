import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { priorityTexts, statusTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  ...statusTexts,
  ...priorityTexts,
  title: common.macros,
  intro: {
    en: 'Several actions on a conversation in one step: all of them happen, or none.',
    de: 'Mehrere Aktionen an einer Konversation in einem Schritt: Alle geschehen oder keine.',
  },
  create: { en: 'New macro', de: 'Neues Makro' },
  emptyHint: {
    en: 'Such as: reply with a template, add a tag, put on hold.',
    de: 'Zum Beispiel: mit einer Vorlage antworten, ein Tag setzen, zurückstellen.',
  },
  descriptionHint: { en: 'When to use it.', de: 'Wann es passt.' },
  departmentsHint: {
    en: 'It can be applied to their conversations. Empty means to all.',
    de: 'Es lässt sich auf deren Konversationen anwenden. Leer heißt auf alle.',
  },
  everywhere: { en: 'all', de: 'alle' },
  actionsIntro: { en: 'Performed from the top to the bottom.', de: 'Werden von oben nach unten ausgeführt.' },
  addAction: { en: 'Add an action', de: 'Aktion hinzufügen' },
  set_priority: { en: 'Set priority', de: 'Priorität setzen' },
  set_category: { en: 'Set category', de: 'Kategorie setzen' },
  set_department: { en: 'Set department', de: 'Abteilung setzen' },
  set_custom_field: { en: 'Set custom field', de: 'Eigenes Feld setzen' },
  add_tags: { en: 'Add tags', de: 'Tags hinzufügen' },
  remove_tags: { en: 'Remove tags', de: 'Tags entfernen' },
  reply: { en: 'Reply', de: 'Antworten' },
  note: { en: 'Leave a note', de: 'Notiz schreiben' },
  me: { en: 'Whoever applies the macro', de: 'Wer das Makro anwendet' },
  chooseField: { en: 'Choose a field', de: 'Feld wählen' },
  ownText: { en: 'Text of its own', de: 'Eigener Text' },
  replyWith: { en: 'Reply with', de: 'Antworten mit' },
  afterwards: { en: 'Status afterwards', de: 'Status danach' },
  usual: { en: 'As usual: pending', de: 'Wie üblich: wartet auf Antwort' },
  holdReason: { en: 'Hold reason', de: 'Grund der Zurückstellung' },
  chooseReason: { en: 'Choose a reason', de: 'Grund wählen' },
  holdNote: common.note,
  usualDuration: { en: 'as the reason says', de: 'wie beim Grund' },
  previewIntro: {
    en: 'What the stored macro would do to a conversation. Nothing is changed.',
    de: 'Was das gespeicherte Makro mit einer Konversation täte. Nichts wird geändert.',
  },
  previewLater: { en: 'Create the macro to preview it.', de: 'Lege das Makro an, um es auszuprobieren.' },
  noChanges: { en: 'It would change nothing.', de: 'Es würde nichts ändern.' },
  failsAt: {
    en: (place: number, action: string) => `Action ${place}, “${action}”, is not possible here.`,
    de: (place: number, action: string) => `Aktion ${place}, „${action}“, ist hier nicht möglich.`,
  },
  writes: common.reply,
})
