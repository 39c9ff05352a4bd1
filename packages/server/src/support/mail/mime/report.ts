import { type Address, readAddresses } from './addresses.ts'
import type { Warning } from './charsets.ts'
import type { Report, ReportedRecipient } from './email.ts'
import { type RawHeader, readHeaders, readPartHeaders } from './headers.ts'
import { readMessageIds } from './identifiers.ts'
import type { Part } from './parts.ts'
import { decodedBytes } from './transfer.ts'
import { decodeWords, toOneLine } from './words.ts'

const maxReportBytes = 1_048_576
const maxRecipients = 1000
const maxDiagnosticLength = 2000

/** The types that a report should have, and the misspelt ones that some servers give it. */
const typesOf = {
  delivery: /^[a-z]+\/(global-)?delivery[-_]?status$/,
  disposition: /^[a-z]+\/(global-)?(disposition-notification|mdn)$/,
  abuse: /^[a-z]+\/feedback[-_]?report$/,
}
const typeOfCopy = /^(message\/(rfc822|global)|(text|message)\/(rfc822|global)-headers)$/

const firstField =
  /^(reporting-mta|original-envelope-id|arrival-date|final-recipient|original-recipient)[ \t]*:/i

/** Reads the report that a mail is; null for any other mail. @param parts those without parts of their own */
export function readReport(
  headers: RawHeader[],
  root: Part,
  parts: Part[],
  warnings: Set<Warning>,
): Report | null {
  const ofType = (type: RegExp) => parts.find((part) => type.test(part.type.value))
  const isReport = root.type.value === 'multipart/report'
  const declared = (isReport && root.type.parameters.get('report-type')?.toLowerCase()) || ''
  const status = ofType(typesOf.delivery) ?? (isReport ? parts.find(isMislabelledStatus) : undefined)
  const failed = valuesOf(headers, 'x-failed-recipients').flatMap((value) => readAddresses(value, warnings))
  const abuse = ofType(typesOf.abuse)
  const disposition = ofType(typesOf.disposition)
  const original = (fields: RawHeader[]) => readOriginal(headers, fields, ofType(typeOfCopy), warnings)
  if (abuse || declared === 'feedback-report') {
    const fields = abuse ? fieldsOf(abuse).flat() : []
    const named = valuesOf(fields, 'original-rcpt-to').flatMap((value) => readAddresses(value, warnings))
    const feedbackType = valuesOf(fields, 'feedback-type')[0]?.toLowerCase() ?? null
    const recipients = [...new Set(named.map(({ address }) => address))]
    return { kind: 'abuse', feedbackType, recipients, ...original(fields) }
  }
  if (disposition || declared === 'disposition-notification')
    return { kind: 'disposition', ...original(disposition ? fieldsOf(disposition).flat() : []) }
  if (!status && failed.length === 0) return null
  const groups = status ? fieldsOf(status) : []
  const reported = groups.map((fields) => recipientOf(fields, warnings)).filter((each) => each !== null)
  const recipients = reported.length > 0 ? reported : failed.map(failedRecipient)
  return { kind: 'delivery', recipients: recipients.slice(0, maxRecipients), ...original(groups.flat()) }
}

const isMislabelledStatus = ({ type, content, encoding }: Part): boolean =>
  !typeOfCopy.test(type.value) &&
  firstField.test(
    Buffer.from(decodedBytes(content.subarray(0, 1000), encoding))
      .toString('latin1')
      .trimStart(),
  )

const valuesOf = (headers: RawHeader[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)

/** The groups of fields that empty lines divide: one about the mail, and one for each recipient. */
function fieldsOf(part: Part): RawHeader[][] {
  const bytes = Buffer.from(decodedBytes(part.content.subarray(0, maxReportBytes), part.encoding))
  const groups: RawHeader[][] = []
  for (let at = 0; at < bytes.length; ) {
    const { headers, bodyStart } = readPartHeaders(bytes, at)
    if (headers.length > 0) groups.push(headers)
    const lineEnd = bytes.indexOf(0x0a, at)
    at = bodyStart > at ? bodyStart : lineEnd < 0 ? bytes.length : lineEnd + 1
  }
  return groups
}

function recipientOf(fields: RawHeader[], warnings: Set<Warning>): ReportedRecipient | null {
  const field = (name: string) => valuesOf(fields, name)[0] ?? null
  const final = recipientAddress(field('final-recipient'), warnings)
  const originalAddress = recipientAddress(field('original-recipient'), warnings)
  const address = final ?? originalAddress
  if (!address) return null
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(field('status') ?? '')?.[0] ?? null
  const diagnostic = withoutType(field('diagnostic-code') ?? '')
  return {
    address,
    originalAddress,
    action: actionOf(field('action') ?? '', status),
    status,
    diagnostic:
      toOneLine(decodeWords(diagnostic, warnings)).slice(0, maxDiagnosticLength).toWellFormed() || null,
  }
}

/** The value after a type, as in `rfc822; person@example.com`. */
const withoutType = (value: string): string => /^\s*[A-Za-z0-9._-]{1,60}\s*;(.*)$/s.exec(value)?.[1] ?? value

const recipientAddress = (value: string | null, warnings: Set<Warning>): string | null =>
  value === null ? null : (readAddresses(withoutType(value).slice(0, 1000), warnings)[0]?.address ?? null)

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const

/** The action that a report names, else the one that its status implies. */
function actionOf(value: string, status: string | null): ReportedRecipient['action'] {
  const word = /[a-z]+/.exec(value.toLowerCase())?.[0]
  const byStatus = { 2: 'delivered', 4: 'delayed', 5: 'failed' } as const
  return actions.find((action) => action === word) ?? byStatus[status?.[0] as '2' | '4' | '5'] ?? null
}

const failedRecipient = ({ address }: Address): ReportedRecipient => ({
  address,
  originalAddress: null,
  action: 'failed',
  status: null,
  diagnostic: null,
})

/** The mail that a report is about, by its copy in the report, by fields of the report, and by headers. */
function readOriginal(
  headers: RawHeader[],
  fields: RawHeader[],
  copy: Part | undefined,
  warnings: Set<Warning>,
) {
  const ofCopy = copy ? readHeaders(Buffer.from(decodedBytes(copy.content, copy.encoding))).headers : []
  const ids = [
    ...valuesOf(ofCopy, 'message-id'),
    ...['original-message-id', 'x-original-message-id'].flatMap((name) => valuesOf(fields, name)),
    ...['x-original-message-id', 'in-reply-to', 'references'].flatMap((name) => valuesOf(headers, name)),
  ]
  const recipients = ['to', 'cc'].flatMap((name) => valuesOf(ofCopy, name))
  return {
    originalMessageIds: [...new Set(ids.flatMap(readMessageIds))],
    originalRecipients: [
      ...new Set(recipients.flatMap((value) => readAddresses(value, warnings)).map(({ address }) => address)),
    ],
  }
}
