import type { ApiError, BacklineError, BrokenFilter, Problem } from '@backline/sdk'
import { defineNames, type Language, languageOfPage, textsIn } from './define.ts'
import { fieldTexts } from './fields.ts'
import { plural } from './plural.ts'
import { statusTexts } from './values.ts'

/*
 * Errors in words. The sentences of the server are English, and an English page shows them. Other languages have their
 * own, by the codes of the errors: a code without a sentence does not compile.
 */

type Told = Pick<Problem, 'code' | 'detail' | 'params' | 'errors'>
export type FieldFault = Problem['errors'][number]
type Translated = Exclude<Language, 'en'>
type Sentence = string | ((params: Problem['params']) => string)

const notUnderstood = 'Der Server hat die Anfrage nicht verstanden.'
const notIdentical = 'Die Identitäten lassen sich nicht zusammenführen.'
const inSeconds = (count: unknown): string =>
  plural('de', Number(count), { one: 'in # Sekunde', other: 'in # Sekunden' })

const problems: Record<Translated, Record<Problem['code'], Sentence>> = {
  de: {
    bad_request: notUnderstood,
    malformed_json: notUnderstood,
    invalid_query: 'Ein Filter oder eine Suche ist nicht gültig.',
    cursor_invalid: 'Die Liste lässt sich hier nicht fortsetzen. Lade sie neu.',
    cursor_mismatch: 'Die Liste lässt sich hier nicht fortsetzen. Lade sie neu.',
    idempotency_key_missing: notUnderstood,
    idempotency_key_invalid: notUnderstood,
    idempotency_key_reused: notUnderstood,
    idempotency_key_in_use: 'Dieselbe Anfrage wird noch bearbeitet. Versuche es gleich erneut.',
    api_key_missing: 'Der API-Schlüssel fehlt.',
    api_key_invalid: 'Der API-Schlüssel gilt nicht.',
    api_key_expired: 'Der API-Schlüssel ist abgelaufen.',
    identity_invalid: 'Die Identität ist nicht nachgewiesen.',
    console_session_invalid: 'Du bist nicht angemeldet.',
    scope_missing: 'Deine Rolle erlaubt das nicht.',
    address_not_allowed: 'Von dieser Adresse aus ist das nicht erlaubt.',
    origin_not_allowed: 'Von dieser Seite aus ist das nicht erlaubt.',
    end_user_blocked: 'Der Endkunde ist gesperrt.',
    not_permitted: 'Endkunden dürfen das nicht.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    route_not_found: notUnderstood,
    method_not_allowed: notUnderstood,
    not_acceptable: notUnderstood,
    unsupported_media_type: notUnderstood,
    already_exists: ({ field }) => `Es gibt schon etwas anderes mit diesem Wert: ${nameIn('de', field)}.`,
    identity_conflict: ({ reason }) =>
      ({
        merged: 'Dieser Endkunde wurde schon mit einem anderen zusammengeführt.',
        erased: 'Dieser Endkunde wurde gelöscht.',
        two_external_ids: 'Beide Endkunden haben eine externe ID.',
        target_unverified: 'Ein bestätigter Endkunde lässt sich nicht in einen unbestätigten überführen.',
      })[String(reason)] ?? notIdentical,
    resource_in_use: 'Es lässt sich nicht löschen, weil anderes darauf verweist.',
    invalid_transition: ({ from }) => {
      const status = textsIn(statusTexts, 'de')[from as keyof typeof statusTexts]
      return status ? `Im Status „${status}“ geht das nicht.` : 'Im jetzigen Zustand geht das nicht.'
    },
    conversation_closed: 'Die Konversation ist geschlossen.',
    already_assigned: 'Die Konversation ist schon jemand anderem zugewiesen.',
    version_retired: 'Diese Seite ist älter als der Server. Lade sie neu.',
    precondition_failed: 'Jemand hat das inzwischen geändert.',
    file_not_ready: 'Die Datei ist noch nicht bereit.',
    file_rejected: ({ reason }) =>
      ({
        size: 'Die Datei hat eine andere Größe als angekündigt.',
        hash: 'Die Datei kam verändert an.',
        type: 'Der Inhalt der Datei passt nicht zu ihrem Typ.',
        infected: 'Die Datei enthält Schadsoftware.',
      })[String(reason)] ?? 'Die Datei wurde abgelehnt.',
    legal_hold: 'Für diesen Endkunden gilt eine Aufbewahrungspflicht: Nichts von ihm darf gelöscht werden.',
    job_running: 'Ein Auftrag ist noch nicht beendet. Versuche es danach noch einmal.',
    view_broken: ({ pointer }) => `Der Teil ${pointer} des Filters gilt nicht mehr.`,
    payload_too_large: ({ limit_bytes }) => {
      const size = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const
      return `Das ist zu groß: Erlaubt sind ${new Intl.NumberFormat('de', size).format(Number(limit_bytes) / 1e6)}.`
    },
    validation_failed: 'Eine Angabe ist nicht gültig.',
    template_variable_missing: ({ variables }) =>
      `Der Vorlage fehlen Werte: ${[variables].flat().join(', ')}.`,
    rate_limited: ({ retry_after_seconds }) =>
      `Das waren zu viele Anfragen. Versuche es ${inSeconds(retry_after_seconds)} erneut.`,
    internal_error: 'Auf dem Server ist ein Fehler aufgetreten. Es wurde nichts gespeichert.',
    unavailable: ({ reason, retry_after_seconds }) => {
      const what = reason === 'file_store_unavailable' ? 'Der Dateispeicher' : 'Der Server'
      return `${what} ist gerade nicht verfügbar. Versuche es ${inSeconds(retry_after_seconds)} erneut.`
    },
  },
}

/** To be read after the name of a field, like those of the server. */
const fieldFaults: Record<Translated, Record<FieldFault['code'], string>> = {
  de: {
    required: 'fehlt',
    unknown_field: 'ist nicht bekannt',
    wrong_type: 'hat nicht die richtige Form',
    blank: 'darf nicht leer sein',
    too_short: 'ist zu kurz',
    too_long: 'ist zu lang',
    too_small: 'ist zu klein oder zu früh',
    too_large: 'ist zu groß oder zu spät',
    not_allowed: 'ist hier nicht erlaubt',
    bad_format: 'hat nicht die richtige Form',
    not_found: 'gibt es nicht',
  },
}

/** For codes that only a newer server has. */
const unknown: Record<Translated, string> = { de: 'Der Server hat das abgelehnt.' }

type ClientCode = Exclude<BacklineError['code'], Problem['code']> | 'file_rejected' | 'unexpected'

/** Errors of the page, of which the server says nothing. */
const clientTexts = defineNames<Record<ClientCode, string>>({
  connection_failed: {
    en: 'There is no connection to the server.',
    de: 'Es besteht keine Verbindung zum Server.',
  },
  timeout: { en: 'The server did not answer in time.', de: 'Der Server hat nicht rechtzeitig geantwortet.' },
  unexpected_response: {
    en: 'The response is not one of the server.',
    de: 'Die Antwort stammt nicht vom Server.',
  },
  file_rejected: {
    en: 'The file was refused. It may be damaged, too large or unsafe.',
    de: 'Die Datei wurde abgelehnt. Sie ist vielleicht beschädigt, zu groß oder unsicher.',
  },
  not_modified: { en: 'Nothing has changed.', de: 'Nichts hat sich geändert.' },
  signature_invalid: { en: 'The signature is not valid.', de: 'Die Signatur ist nicht gültig.' },
  unexpected: { en: 'Something unexpected happened.', de: 'Etwas Unerwartetes ist geschehen.' },
})

/** The name of a field, by its JSON Pointer. */
function nameIn(language: Language, pointer: unknown): string {
  const path = String(pointer).replace(/^\//, '')
  return textsIn(fieldTexts, language)[path as keyof typeof fieldTexts] ?? path.replaceAll('/', '.')
}

/** The name of a field in the language of the page, by its JSON Pointer. */
export const nameOfField = (pointer: string): string => nameIn(languageOfPage(), pointer)

/** A refusal of which only the code and the sentence of the server are stored, in the language of the page. */
export function knownProblem(code: string, detail: string): string {
  const language = languageOfPage()
  if (language === 'en') return detail
  const sentence = problems[language][code as Problem['code']] ?? unknown[language]
  return typeof sentence === 'string' ? sentence : sentence({})
}

/** The fault of a field in the language of the page, with the example, settings and commands that the server names. */
export function faultText({ code, detail }: Pick<FieldFault, 'code' | 'detail'>): string {
  const language = languageOfPage()
  if (language === 'en') return detail
  const [, example] = /this example: (.+)$/.exec(detail) ?? []
  const hints = detail.match(/BACKLINE_\w+|`[^`]+`/g)
  return [
    fieldFaults[language][code] ?? unknown[language],
    example && `zum Beispiel ${example}`,
    hints && `siehe ${hints.join(' und ')}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Null if the error is not one of the API. */
export const problemOf = (error: unknown): Problem | null =>
  (error as Partial<ApiError> | null)?.problem ?? null

/** The faults of the fields of a request in the language of the page; none if the error is of another kind. */
export const faultsOf = (error: unknown): { pointer: string | undefined; detail: string }[] =>
  (problemOf(error)?.errors ?? []).map((fault) => ({ pointer: fault.pointer, detail: faultText(fault) }))

/** An error of the API as a sentence in the language of the page. */
export function problemText({ code, detail, params, errors }: Told): string {
  const language = languageOfPage()
  if (language === 'en') return detail
  const [first, ...others] = errors
  if (first) {
    const place = first.pointer ?? first.parameter ?? first.header
    const more = others.length > 0 ? ` (+ ${others.length})` : ''
    return `${nameIn(language, place)}: ${faultText(first)}${more}`
  }
  const sentence = problems[language][code] ?? unknown[language]
  return typeof sentence === 'string' ? sentence : sentence(params)
}

/** A fault of a view's filter as a sentence in the language of the page. */
export const brokenText = ({ pointer, detail }: BrokenFilter): string =>
  problemText({ code: 'view_broken', detail: `${pointer} ${detail}`, params: { pointer }, errors: [] })

/** The reason of a failure as a sentence in the language of the page. */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error)
  if (problem) return problemText(problem)
  const texts = textsIn(clientTexts, languageOfPage())
  return texts[(error as { code?: ClientCode } | null)?.code ?? 'unexpected'] ?? texts.unexpected
}
