import type { Line, Reason } from './source.ts'

/* The limits of the API: an object that exceeds one would be refused as a whole. */

type Lose = (reason: Reason, detail: string) => void

/** The longest texts of each type, in UTF-16 units. */
const longest: Record<string, Record<string, number>> = {
  operator: { name: 100 },
  company: { name: 200 },
  end_user: { name: 200 },
  tag: { name: 50 },
  department: { name: 50 },
  conversation: { subject: 255 },
}
const [mostMetadata, longestKey, longestValue] = [50, 40, 500]
const [mostAddresses, mostTags, longestTag, mostDomains, mostReferences] = [10, 100, 50, 20, 20]

const address = /^[^\s@\p{Cc}]+@[^\s@.\p{Cc}]+(?:\.[^\s@.\p{Cc}]+)*$/u
const phone = /^\+[1-9]\d{1,14}$/
const domain = /^[a-z0-9\u0080-\uffff](?:[a-z0-9.\u0080-\uffff-]*[a-z0-9\u0080-\uffff])?$/i
const languageTag = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/

export const isAddress = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 254 && address.test(text)

/** A text without what no text of the API contains. */
export const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** Cuts a text without halving a character. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The line with all values as the API takes them; each loss is reported. Members without a value are left out. */
export function fitted(line: Line, lose: Lose): Line {
  const fit: Record<string, unknown> = { ...line }
  const metadata: Record<string, unknown> = { ...(line.metadata as object) }
  /** Keeps values that no field takes. */
  const aside = (name: string, values: string[]) => {
    if (values.length > 0) metadata[name] = values.join(', ')
  }
  for (const [name, most] of Object.entries(longest[line.type] ?? {})) {
    const text = typeof fit[name] === 'string' ? clean(fit[name]).trim() : ''
    if (text.length > most) lose('truncated', `${name} has ${text.length} characters; ${most} are kept`)
    fit[name] = cut(text, most) || null
  }
  if (Array.isArray(fit.emails)) {
    const all = [
      ...new Map((fit.emails as { address: string }[]).map((each) => [each.address?.toLowerCase(), each])),
    ]
    const valid = all.map(([, each]) => each).filter((each) => isAddress(each.address))
    aside(
      'other_emails',
      all.flatMap(([, each]) => (each.address && !isAddress(each.address) ? [each.address] : [])),
    )
    if (valid.length > mostAddresses)
      lose('truncated', `${valid.length} addresses; ${mostAddresses} are kept`)
    fit.emails = valid.slice(0, mostAddresses)
  }
  if (Array.isArray(fit.phones)) {
    const all = [
      ...new Set(
        (fit.phones as unknown[]).filter(Boolean).map((each) => String(each).replace(/[\s()./-]/g, '')),
      ),
    ]
    fit.phones = all.filter((each) => phone.test(each)).slice(0, mostAddresses)
    aside(
      'other_phones',
      all.filter((each) => !phone.test(each)),
    )
  }
  if (line.type === 'operator' && !isAddress(fit.email)) fit.email = null
  if (Array.isArray(fit.domains)) {
    const all = [
      ...new Set((fit.domains as string[]).map((each) => each.trim().toLowerCase()).filter(Boolean)),
    ]
    fit.domains = all.filter((each) => domain.test(each)).slice(0, mostDomains)
    const rest = all.filter((each) => !(fit.domains as string[]).includes(each))
    aside('other_domains', rest)
  }
  if (Array.isArray(fit.tags)) {
    const all = [...new Set((fit.tags as string[]).map((each) => clean(String(each)).trim()).filter(Boolean))]
    if (all.some((each) => each.length > longestTag))
      lose('truncated', `tags are cut at ${longestTag} characters`)
    if (all.length > mostTags) lose('truncated', `${all.length} tags; ${mostTags} are kept`)
    fit.tags = all.slice(0, mostTags).map((each) => cut(each, longestTag))
  }
  if (Array.isArray(fit.company_external_ids))
    fit.company_external_ids = fit.company_external_ids.slice(0, mostReferences)
  if (typeof fit.language === 'string') {
    const language = fit.language.replaceAll('_', '-')
    fit.language = languageTag.test(language) ? language : null
  }
  if (typeof fit.avatar_url === 'string' && !/^https:\/\/\S{1,2000}$/.test(fit.avatar_url))
    fit.avatar_url = null
  if (typeof fit.timezone === 'string') fit.timezone = zoneOf(fit.timezone)
  fit.metadata = metadataOf(metadata, lose)
  return Object.fromEntries(
    Object.entries(fit).filter(([name, value]) => name === 'body' || !isNothing(value)),
  ) as Line
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Null for a zone that is no IANA name: products name zones as they like. */
function zoneOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) && /\/|^UTC$/.test(name) ? name : null
  } catch {
    return null
  }
}

/** Texts by short names; other values become JSON. */
function metadataOf(values: Record<string, unknown>, lose: Lose): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => !isNothing(value))
  if (entries.length > mostMetadata)
    lose(
      'field_unmapped',
      entries
        .slice(mostMetadata)
        .map(([name]) => name)
        .join(', '),
    )
  return Object.fromEntries(
    entries.slice(0, mostMetadata).map(([name, value]) => {
      const text = clean(typeof value === 'string' ? value : JSON.stringify(value))
      if (text.length > longestValue)
        lose('truncated', `metadata ${name} has ${text.length} characters; ${longestValue} are kept`)
      return [cut(clean(name), longestKey), cut(text, longestValue)]
    }),
  )
}
