import type { Automatic } from '../../desk/messages/email/queries.ts'

/** The part of a mail that decides. */
export type AutomaticSigns = {
  headers: readonly { name: string; value: string }[]
  /** The return path: empty for the null one, null if it is not known. */
  returnPath: string | null
  /** The kind of report that the mail is, if it is one. */
  report: { kind: 'delivery' | 'abuse' | 'disposition' } | null
}

/** Judges by headers and return path alone: people write subjects. */
export function automaticOf({ headers, returnPath, report }: AutomaticSigns): Automatic | null {
  const values = new Map<string, string[]>()
  for (const { name, value } of headers) {
    const key = name.trim().toLowerCase()
    const known = values.get(key)
    if (known) known.push(firstWord(value))
    else values.set(key, [firstWord(value)])
  }
  const has = (name: string) => values.has(name)
  const submitted = values.get('auto-submitted') ?? []
  const precedence = values.get('precedence') ?? []
  // A bounce has the null return path, too, and is told by its own rules.
  const isForNobody = returnPath === '' && report === null
  if (
    submitted.includes('auto-replied') ||
    has('x-autoreply') ||
    has('x-autorespond') ||
    precedence.includes('auto_reply') ||
    report?.kind === 'disposition' ||
    isForNobody
  )
    return 'reply'
  if (submitted.some((word) => word !== 'no')) return 'generated'
  const isToMany =
    precedence.some((word) => ['bulk', 'list', 'junk'].includes(word)) ||
    has('x-auto-response-suppress') ||
    [...values.keys()].some((name) => name.startsWith('list-'))
  return isToMany ? 'bulk' : null
}

/** Without parameters and comments, in lower case. */
const firstWord = (value: string): string => /^[^\s;(]*/.exec(value.trim())![0].toLowerCase()
