import { addressParser } from 'postal-mime'
import type { Warning } from './charsets.ts'
import { endOfComment } from './parameters.ts'
import { toOneLine, withKnownCharsets } from './words.ts'

/** RFC 5322 allows lines of this length. */
const maxLength = 998

/** @property address in lower case @property name the name of a person or group; empty without one */
export type Address = { address: string; name: string }

/** Reads a list of addresses (RFC 5322 section 3.4), groups included. What is no address is left out. */
export function readAddresses(header: string, warnings: Set<Warning>): Address[] {
  const addresses: Address[] = []
  const text = flattenComments(protectWords(toOneLine(withKnownCharsets(header, warnings))))
  for (const { address, name } of addressParser(text, { flatten: true })) {
    const normal = normalize(address ?? '')
    if (normal) addresses.push({ address: normal, name: toOneLine(unquote(name)) })
  }
  return addresses
}

const quotedPrintableWord = /(=\?[^?\s]+\?[Qq]\?)([^?]*)(?=\?=)/g

/** Encodes punctuation in encoded words, which some programs leave as it is and which would divide the list. */
const protectWords = (text: string): string =>
  text.replace(quotedPrintableWord, (_, start: string, content: string) => {
    const encode = (character: string) =>
      `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    return start + content.replace(/[ "(),.:;<>@[\\\]]/g, encode)
  })

/** The library reads comments without the ones nested in them, so inner parentheses become brackets. */
function flattenComments(text: string): string {
  if (!text.includes('(')) return text
  let flat = ''
  let isQuoted = false
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '\\' && isQuoted) i++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === '(' && !isQuoted) {
      const end = endOfComment(text, i)
      if (end === null) return `${flat}${text.slice(from, i)} ${text.slice(i + 1).replaceAll('(', ' ')}`
      flat += `${text.slice(from, i)} (${text.slice(i + 1, end).replace(/[()\\]/g, ' ')}) `
      from = end + 1
      i = end
    }
  }
  return flat + text.slice(from)
}

/** Outlook writes names in single quotes. */
const unquote = (name: string): string => /^'(.*)'$/s.exec(name.trim())?.[1] ?? name

/** An address without the route, scheme and brackets that some programs write; null for what is none. */
function normalize(text: string): string | null {
  if (text.length > maxLength) return null
  const withoutRoute = text.startsWith('@') ? text.slice(text.lastIndexOf(':') + 1) : text
  const address = withoutRoute
    .replace(/^mailto:/i, '')
    .replace(/^[<["']+|[>"']+$/g, '')
    .replace(/ ?([@.]) ?/g, '$1')
    .toLowerCase()
  const at = address.lastIndexOf('@')
  const isAddress = at > 0 && at < address.length - 1 && !/[\s<>,;]/.test(address)
  return isAddress ? address : null
}
