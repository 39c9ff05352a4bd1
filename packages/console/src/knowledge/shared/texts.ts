import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  apiKey: { en: 'An API key', de: 'Ein API-Schlüssel' },
  operator: { en: 'Somebody on the team', de: 'Jemand aus dem Team' },
  endUser: { en: 'An end user', de: 'Ein Endkunde' },
  system: { en: 'Backline, as scheduled', de: 'Backline, wie geplant' },
  mailbox: { en: 'A mailbox', de: 'Ein Postfach' },
  changed: { en: 'Unpublished changes', de: 'Unveröffentlichte Änderungen' },
  tagsHint: { en: 'Press Enter after each.', de: 'Nach jedem die Eingabetaste drücken.' },
  untitled: { en: 'Untitled', de: 'Ohne Titel' },
  imageElsewhere: {
    en: (host: string) => `Image of ${host}, not shown here`,
    de: (host: string) => `Bild von ${host}, hier nicht gezeigt`,
  },
  notRendered: {
    en: (reason: string) => `The preview shows an earlier text: ${reason}`,
    de: (reason: string) => `Die Vorschau zeigt einen früheren Text: ${reason}`,
  },
  imageMissing: { en: 'The image could not be loaded', de: 'Das Bild konnte nicht geladen werden' },
  image: { en: 'Image', de: 'Bild' },
  uploading: {
    en: (names: string) => `Uploading ${names}…`,
    de: (names: string) => `${names} wird hochgeladen …`,
  },
  uploadFailed: { en: 'The image was not uploaded', de: 'Das Bild wurde nicht hochgeladen' },
  onlyImages: { en: 'Only images can be added here.', de: 'Hier lassen sich nur Bilder einfügen.' },
  stillScanning: {
    en: 'The virus scan takes longer than usual. Try again later.',
    de: 'Die Virenprüfung dauert länger als sonst. Versuche es später erneut.',
  },
  dropHere: { en: 'Drop images here', de: 'Bilder hier ablegen' },
  saved: { en: (time: string) => `Saved ${time}`, de: (time: string) => `Gespeichert ${time}` },
  allSaved: { en: 'Everything is saved', de: 'Alles ist gespeichert' },
  saving: { en: 'Saving…', de: 'Wird gespeichert …' },
  unsaved: { en: 'Not saved yet', de: 'Noch nicht gespeichert' },
  conflict: { en: 'Changed by somebody else', de: 'Von jemand anderem geändert' },
  compare: { en: 'Compare', de: 'Vergleichen' },
  conflictTitle: {
    en: 'Somebody else changed this meanwhile',
    de: 'Jemand anderes hat das inzwischen geändert',
  },
  conflictIntro: {
    en: 'Your text is kept. Choose for each field what stays.',
    de: 'Dein Text bleibt erhalten. Wähle für jedes Feld, was gelten soll.',
  },
  keepMine: { en: 'Keep mine', de: 'Meine Fassung behalten' },
  takeTheirs: { en: 'Use theirs', de: 'Andere Fassung nehmen' },
  mine: { en: 'Mine', de: 'Meine Fassung' },
  theirs: { en: 'Theirs', de: 'Andere Fassung' },
  go: { en: 'Continue', de: 'Weiter' },
  fixFirst: {
    en: 'Some of your changes are not saved. Look for the marked fields first.',
    de: 'Ein Teil deiner Änderungen ist nicht gespeichert. Sieh zuerst nach den markierten Feldern.',
  },
  kept: { en: 'Your unsaved text was restored', de: 'Dein ungespeicherter Text ist wieder da' },
  line: { en: 'Line', de: 'Zeile' },
  added: { en: 'Added', de: 'Hinzugefügt' },
  removed: { en: 'Removed', de: 'Entfernt' },
  changedLine: common.changed,
  unchanged: {
    en: (count: number) => plural('en', count, { one: '# unchanged line', other: '# unchanged lines' }),
    de: (count: number) =>
      plural('de', count, { one: '# unveränderte Zeile', other: '# unveränderte Zeilen' }),
  },
  equal: { en: 'The texts are equal', de: 'Die Texte sind gleich' },
})
