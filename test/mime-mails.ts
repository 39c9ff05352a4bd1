import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Address } from '@backline/server/support/mail/mime/addresses.ts'
import type { Email } from '@backline/server/support/mail/mime/email.ts'
import { readEmail } from '@backline/server/support/mail/mime/reading.ts'

/** Reads a mail, and the content of its files as bytes in latin1. */
export async function read(mail: string | Buffer): Promise<Email & { contents: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'backline-mime-'))
  try {
    const email = await readEmail({ bytes: Buffer.from(mail) }, directory)
    assert.ok(!('refused' in email), `refused: ${JSON.stringify(email)}`)
    return { ...email, contents: email.attachments.map(({ path }) => readFileSync(path, 'latin1')) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/**
 * The expected properties of a mail; others are not compared.
 * @property files each as `name | type | disposition | content`, up to the properties that matter
 * @property report its properties that matter
 */
export type Expected = Partial<Omit<Email, 'from' | 'to' | 'cc' | 'replyTo' | 'report'>> & {
  from?: string[]
  to?: string[]
  cc?: string[]
  replyTo?: string[]
  files?: string[]
  report?: object | null
}

export const show = ({ name, address }: Address): string => (name ? `${name} <${address}>` : address)

/** A test for each mail: its name says the program or fault, and what comes out. */
export function testShapes(shapes: Record<string, [mail: string | Buffer, expected: Expected]>): void {
  for (const [name, [mail, expected]] of Object.entries(shapes))
    test(name, async () => {
      const email = await read(mail)
      for (const [property, value] of Object.entries(expected))
        if (property === 'files') assertFiles(email, value as string[])
        else if (property === 'report' && value && email.report)
          assert.partialDeepStrictEqual(email.report, value)
        else if (['from', 'to', 'cc', 'replyTo'].includes(property))
          assert.deepEqual(email[property as 'from'].map(show), value, property)
        else assert.deepEqual(email[property as keyof Email], value, property)
      if (!expected.warnings) assert.deepEqual(email.warnings, [], 'warnings')
    })
}

function assertFiles({ attachments, contents }: Email & { contents: string[] }, expected: string[]): void {
  const files = attachments.map(({ filename, contentType, disposition }, i) =>
    [filename, contentType, disposition, contents[i]].slice(0, expected[i]?.split(' | ').length).join(' | '),
  )
  assert.deepEqual(files, expected, 'files')
  for (const [i, { sizeBytes }] of attachments.entries()) assert.equal(sizeBytes, contents[i]!.length)
}

const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** A mail or part of header lines and a body. */
export const mail = (headers: string, body = ''): string => crlf(`${headers.trim()}\n\n${body}`)

/** A multipart with its headers. @param type such as `mixed` or `report; report-type=delivery-status` */
export function multipart(type: string, parts: string[], headers = ''): string {
  const [subtype, ...parameters] = type.split(';')
  const boundary = `=_${subtype}_${parts.length}_${parts.join('').length}`
  const start = `${headers}\nContent-Type: multipart/${subtype}; boundary="${boundary}"${parameters.map((each) => `;${each}`).join('')}`
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join('')
  return mail(start, `${body}--${boundary}--\n`)
}

export const plain = (text: string, headers = ''): string =>
  mail(`Content-Type: text/plain; charset=utf-8\n${headers}`, text)
export const html = (text: string, headers = ''): string =>
  mail(`Content-Type: text/html; charset=utf-8\n${headers}`, text)

export const base64 = (content: string | Buffer): string =>
  Buffer.from(content).toString('base64').replaceAll(/.{76}/g, '$&\n')

/** A file, encoded as Base64. */
export const file = (
  type: string,
  content: string | Buffer,
  headers = 'Content-Disposition: attachment',
): string => mail(`Content-Type: ${type}\nContent-Transfer-Encoding: base64\n${headers}`, base64(content))

export const fromAda = 'From: Ada Byron <ada@customer.example>\nTo: help@desk.example\nSubject: Broken lamp'
