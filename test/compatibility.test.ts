import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { breakingChanges } from '../scripts/compatibility.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed by name
type Json = any

const read = (name: string): Json =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../openapi', name), 'utf8'))
const current = read('v1.json')

/** The breaking changes of a document that `change` has changed. */
function after(change: (document: Json) => void): string[] {
  const document = structuredClone(current)
  change(document)
  return breakingChanges(current, document)
}

const operation = (document: Json, name: string): Json => {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path][method.toLowerCase()]
}
const schema = (document: Json, name: string): Json => document.components.schemas[name]
const resourceId = (document: Json): Json =>
  operation(document, 'GET /v1/events').parameters.find(({ name }: Json) => name === 'resource_id').schema

describe('compatibility with the last release', () => {
  test('clients of the last release work with this document', () => {
    const changes = breakingChanges(read('released.json'), current)
    // Counts of filters have no view, and who asks for counts of views alone gets none of them.
    const allowed = ['GET /v1/views/counts: response.data[].view_id can be null']
    assert.deepEqual(changes, allowed, 'docs/versioning.md says how to change the API')
  })

  const breaking: [string, (document: Json) => void, RegExp][] = [
    [
      'an operation is removed',
      (document) => delete document.paths['/v1/tags/{id}'].delete,
      /^DELETE \/v1\/tags\/\{id\} was removed$/,
    ],
    [
      'an operation is renamed',
      (document) => (operation(document, 'GET /v1/tags').operationId = 'allTags'),
      /operationId listTags became allTags/,
    ],
    [
      'an operation requires another scope',
      (document) => (operation(document, 'GET /v1/tags')['x-scope'] = 'tags:write'),
      /requires tags:write/,
    ],
    [
      'a query parameter is removed',
      (document) => {
        const list = operation(document, 'GET /v1/conversations')
        list.parameters = list.parameters.filter(({ name }: Json) => name !== 'status')
      },
      /query parameter status was removed/,
    ],
    [
      'a header becomes required',
      (document) => (document.components.parameters.OptionalIdempotencyKey.required = true),
      /header parameter Idempotency-Key became required/,
    ],
    [
      'a field of a body becomes required',
      (document) => schema(document, 'CreateTagBody').required.push('color'),
      /body\.color became required/,
    ],
    [
      'a field of a body is removed',
      (document) => delete schema(document, 'CreateConversationBody').properties.subject,
      /body\.subject was removed/,
    ],
    [
      'a value of a body is no longer accepted',
      (document) => schema(document, 'CreateConversationBody').properties.priority.enum.pop(),
      /body\.priority no longer accepts urgent/,
    ],
    [
      'a text of a body must be shorter',
      (document) => (schema(document, 'CreateMessageBody').properties.body.maxLength = 100),
      /body\.body: maxLength became 100/,
    ],
    [
      'ids with one of the prefixes are no longer accepted',
      (document) => (resourceId(document).pattern = resourceId(document).pattern.replace('|tag|', '|')),
      /query parameter resource_id: pattern became/,
    ],
    [
      'null is no longer accepted',
      (document) => (schema(document, 'CreateConversationBody').properties.subject.type = 'string'),
      /body\.subject no longer accepts null/,
    ],
    [
      'a variant of a body is removed',
      (document) => schema(document, 'MacroActionInput').oneOf.pop(),
      /the variant type close was removed/,
    ],
    [
      'a field of a response is removed',
      (document) => delete schema(document, 'Conversation').properties.tags,
      /GET \/v1\/conversations\/\{id\}: response\.tags was removed/,
    ],
    [
      'a field of a response can be absent',
      (document) => schema(document, 'Tag').required.pop(),
      /response\.version can be absent/,
    ],
    [
      'a field of a response can be null',
      (document) => (schema(document, 'Tag').properties.name.type = ['string', 'null']),
      /response\.name can be null/,
    ],
    [
      'a nested object of a response changes',
      (document) => delete schema(document, 'SlaClock').properties.due_at,
      /response\.sla\.first_response\.due_at was removed/,
    ],
    [
      'a response has another status',
      (document) => {
        const { responses } = operation(document, 'POST /v1/tags')
        responses[200] = responses[201]
        delete responses[201]
      },
      /POST \/v1\/tags: status 201 was removed/,
    ],
    [
      'an event type is removed',
      (document) => delete document.webhooks['tag.created'],
      /webhook tag\.created was removed/,
    ],
  ]
  for (const [what, change, line] of breaking)
    test(`it is breaking that ${what}`, () => {
      const changes = after(change)
      assert.ok(
        changes.some((each) => line.test(each)),
        `${line}: ${changes.join('\n')}`,
      )
    })

  const compatible: [string, (document: Json) => void][] = [
    ['an operation', (document) => (document.paths['/v1/teams'] = document.paths['/v1/tags'])],
    [
      'an optional parameter',
      (document) =>
        operation(document, 'GET /v1/tags').parameters.push({ name: 'color', in: 'query', schema: {} }),
    ],
    [
      'an optional field of a body',
      (document) => (schema(document, 'CreateTagBody').properties.emoji = { type: 'string' }),
    ],
    [
      'a value of a body',
      (document) => schema(document, 'CreateConversationBody').properties.channel.enum.push('fax'),
    ],
    [
      'ids with another prefix',
      (document) =>
        (resourceId(document).pattern = resourceId(document).pattern.replace('|tag|', '|tag|team|')),
    ],
    ['a field of a response', (document) => (schema(document, 'Tag').properties.emoji = { type: 'string' })],
    [
      'a value of a response',
      (document) => schema(document, 'Conversation').properties.status.enum.push('spam'),
    ],
    ['an event type', (document) => (document.webhooks['tag.liked'] = document.webhooks['tag.created'])],
    ['an error', (document) => (operation(document, 'GET /v1/tags').responses[402] = { description: 'Pay' })],
  ]
  for (const [what, change] of compatible)
    test(`it is compatible to add ${what}`, () => assert.deepEqual(after(change), []))
})
