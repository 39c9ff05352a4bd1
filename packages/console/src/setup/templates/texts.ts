import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: common.templates,
  intro: {
    en: 'Texts for replies, macros and follow-ups, with variables that each conversation fills in.',
    de: 'Texte für Antworten, Makros und Zwischennachrichten, mit Variablen, die jede Konversation ausfüllt.',
  },
  create: { en: 'New template', de: 'Neue Vorlage' },
  emptyHint: {
    en: 'Begin with the answer that your team writes most often.',
    de: 'Beginne mit der Antwort, die dein Team am häufigsten schreibt.',
  },
  folder: { en: 'Folder', de: 'Ordner' },
  noFolder: { en: 'no folder', de: 'ohne Ordner' },
  languages: { en: 'Languages', de: 'Sprachen' },
  variables: { en: 'Variables', de: 'Variablen' },
  textHint: {
    en: 'In Liquid: {{ end_user.name | default: "there" }} prints a value or a default.',
    de: 'In Liquid: {{ end_user.name | default: "du" }} schreibt einen Wert oder Ersatz.',
  },
  insert: { en: 'Insert variable', de: 'Variable einfügen' },
  format: { en: 'Format', de: 'Format' },
  plain: { en: 'Plain text', de: 'Reiner Text' },
  markdown: { en: 'Markdown', de: 'Markdown' },
  localeHint: { en: 'As a tag, such as en or pt-BR.', de: 'Als Kürzel, etwa de oder pt-BR.' },
  variants: { en: 'Other languages', de: 'Andere Sprachen' },
  variantsIntro: {
    en: 'Used if the conversation has the language. Otherwise the text above is used.',
    de: 'Gelten, wenn die Konversation diese Sprache hat. Sonst gilt der Text oben.',
  },
  addVariant: { en: 'Add a language', de: 'Sprache hinzufügen' },
  removeVariant: {
    en: (locale: string) => `Remove ${locale}`,
    de: (locale: string) => `${locale} entfernen`,
  },
  previewIntro: {
    en: 'The stored text for a conversation. It is renewed each time you save.',
    de: 'Der gespeicherte Text für eine Konversation. Er erneuert sich bei jedem Speichern.',
  },
  previewLater: { en: 'Create the template to preview it.', de: 'Lege die Vorlage an, um sie zu sehen.' },
  uses: { en: 'The texts use', de: 'Die Texte benutzen' },
  usesNone: { en: 'The texts use no variables.', de: 'Die Texte benutzen keine Variablen.' },
  ownHint: {
    en: 'Whoever sends a message from this template gives them.',
    de: 'Wer mit der Vorlage eine Nachricht schickt, gibt sie an.',
  },
  missing: { en: 'These variables have no value here:', de: 'Diese Variablen haben hier keinen Wert:' },
  missingHint: {
    en: 'Give a default, such as {{ name | default: "there" }}, or test it with {% if name %}.',
    de: 'Gib einen Ersatz an, etwa {{ name | default: "du" }}, oder prüfe mit {% if name %}.',
  },
  own: { en: 'your own', de: 'eigene' },
  usual: { en: 'Language of the conversation', de: 'Sprache der Konversation' },
})
