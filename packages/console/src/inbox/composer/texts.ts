import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  replyHint: { en: (name: string) => `Write to ${name}`, de: (name: string) => `An ${name} schreiben` },
  noteHint: { en: 'Write a note that only your team sees', de: 'Notiz, die nur dein Team sieht' },
  closedHint: {
    en: 'This conversation is closed. Notes are still possible; a reply starts a new conversation.',
    de: 'Diese Konversation ist geschlossen. Notizen gehen noch; eine Antwort beginnt eine neue Konversation.',
  },
  wasScheduled: {
    en: (time: string) => `This message was to be sent ${time}. Choose the time again, or send it now.`,
    de: (time: string) =>
      `Diese Nachricht sollte ${time} gesendet werden. Wähle die Zeit neu, oder sende sie jetzt.`,
  },
  wasToResolve: {
    en: 'This message was to resolve the conversation. Choose “Send and resolve” again.',
    de: 'Diese Nachricht sollte die Konversation lösen. Wähle erneut „Senden und lösen“.',
  },
  markdown: { en: 'Markdown', de: 'Markdown' },
  addNote: { en: 'Add note', de: 'Notiz speichern' },
  sendFollowUp: { en: 'Send in a new conversation', de: 'In neuer Konversation senden' },
  sendAndResolve: { en: 'Send and resolve', de: 'Senden und lösen' },
  moreWays: { en: 'More ways to send', de: 'Weitere Arten zu senden' },
  sendLater: { en: 'Send later…', de: 'Später senden …' },
  sendAt: { en: 'Send at', de: 'Senden am' },
  inThePast: { en: 'This time has passed.', de: 'Diese Zeit ist vorbei.' },
  tooFar: { en: 'At most 365 days ahead.', de: 'Höchstens 365 Tage im Voraus.' },
  attach: { en: 'Attach files', de: 'Dateien anhängen' },
  dropHere: { en: 'Drop files to attach them', de: 'Dateien hier ablegen' },
  uploading: { en: 'Uploading…', de: 'Wird hochgeladen …' },
  uploadFailed: { en: 'Not uploaded', de: 'Nicht hochgeladen' },
  retryUpload: {
    en: (name: string) => `Upload ${name} again`,
    de: (name: string) => `${name} erneut hochladen`,
  },
  attachments: { en: 'Attachments', de: 'Anhänge' },
  findTemplate: { en: 'Find a template', de: 'Vorlage suchen' },
  noTemplates: { en: 'No template found', de: 'Keine Vorlage gefunden' },
  templateFailed: { en: 'The template could not be used', de: 'Die Vorlage konnte nicht verwendet werden' },
  lacking: {
    en: (names: string) => `The conversation has no value for ${names}.`,
    de: (names: string) => `Die Konversation hat keinen Wert für ${names}.`,
  },
  variablesOf: { en: (name: string) => `Values for “${name}”`, de: (name: string) => `Werte für „${name}“` },
  variablesHint: {
    en: 'The template needs these values, which the conversation does not have.',
    de: 'Die Vorlage braucht diese Werte, die es in der Konversation nicht gibt.',
  },
  insert: { en: 'Insert', de: 'Einfügen' },
  findMacro: { en: 'Find a macro', de: 'Makro suchen' },
  noMacros: { en: 'No macro found', de: 'Kein Makro gefunden' },
  macroPreview: { en: (name: string) => `Apply “${name}”?`, de: (name: string) => `„${name}“ anwenden?` },
  apply: { en: 'Apply', de: 'Anwenden' },
  macroFailed: { en: 'The macro was not applied', de: 'Das Makro wurde nicht angewendet' },
  macroApplied: {
    en: (name: string) => `“${name}” was applied`,
    de: (name: string) => `„${name}“ wurde angewendet`,
  },
  willSend: { en: 'Messages', de: 'Nachrichten' },
  nothingChanges: { en: 'This macro changes nothing here.', de: 'Dieses Makro ändert hier nichts.' },
})
