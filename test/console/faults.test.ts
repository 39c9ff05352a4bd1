import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError, ConnectionError, type Problem } from '@backline/sdk/index.ts'
import { type ErrorCode, errorCatalogue, fieldErrorCodes } from '@backline/server/platform/kernel/errors.ts'
import { exampleOf, problemExample } from '@backline/server/support/documents/problem-examples.ts'
import { faultText, reasonOf } from '../../packages/console/src/texts/faults.ts'

/* Errors in words of the page. The browser tests show them in a German page. */

const page = { documentElement: { lang: 'de' } }
before(() => void Object.assign(globalThis, { document: page }))
after(() => void Reflect.deleteProperty(globalThis, 'document'))

const problems = (Object.keys(errorCatalogue) as ErrorCode[]).map(
  (code) => problemExample(exampleOf(code), 'https://support.example.com') as unknown as Problem,
)
const reasonIn = (lang: string, problem: Problem): string => {
  page.documentElement.lang = lang
  return reasonOf(new ApiError(problem, new Headers()))
}

test('a German page has a sentence of its own for each error code, with the values of the error', () => {
  for (const problem of problems) {
    const sentence = reasonIn('de', problem)
    assert.doesNotMatch(sentence, /undefined|null|NaN|\[object/, problem.code)
    const english = [problem.title, problem.detail, ...problem.errors.map(({ detail }) => detail)]
    assert.ok(!english.some((text) => sentence.includes(text)), sentence)
  }
  const about = (code: string) => reasonIn('de', problems.find((problem) => problem.code === code)!)
  assert.equal(about('rate_limited'), 'Das waren zu viele Anfragen. Versuche es in 1 Sekunde erneut.')
  assert.equal(about('invalid_transition'), 'Im Status „Geschlossen“ geht das nicht.')
  assert.equal(about('validation_failed'), 'Begonnen durch: ist hier nicht erlaubt (+ 1)')
})

test('a German page has words of its own for each fault of a field, and for codes of newer servers', () => {
  page.documentElement.lang = 'de'
  const detail = 'must be something else'
  const words = fieldErrorCodes.map((code) => faultText({ code, detail }))
  assert.ok(!words.includes(detail))
  assert.equal(faultText({ code: 'new_code' as 'required', detail }), 'Der Server hat das abgelehnt.')
})

test('an English page shows the sentence of the server', () => {
  for (const problem of problems) assert.equal(reasonIn('en', problem), problem.detail)
})

test('errors that are not of the server are told in the language of the page', () => {
  page.documentElement.lang = 'de'
  assert.equal(reasonOf(new ConnectionError('fetch failed')), 'Es besteht keine Verbindung zum Server.')
  assert.equal(reasonOf(new TypeError('x is not a function')), 'Etwas Unerwartetes ist geschehen.')
})
