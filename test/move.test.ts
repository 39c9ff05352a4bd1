import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { run as cli, expectations } from './command-line.ts'
import { succeeded } from './desk.ts'
import { type Client, service } from './harness.ts'
import { imported, type Line } from './imports.ts'
import { run } from './jobs.ts'

/* The desk of the demo is exported, imported into another environment, and exported again. */

const api = service({ works: true })
const { json } = expectations(cli)

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any
type Desk = Record<string, Body[]>

/** All objects of an environment, by their families. */
async function exported(client: Client): Promise<Desk> {
  const job = await run(client, '/v1/exports', {})
  assert.equal(job.status, 'succeeded', JSON.stringify(job.error))
  const desk: Desk = {}
  for (const { object, file_id } of job.result.parts) {
    const headers = { authorization: `Bearer ${client.key}` }
    const response = await fetch(`${api.url}/v1/files/${file_id}/content`, { headers })
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    desk[object] = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }
  return desk
}

/** The members of an object that are given as they are. */
const picked = (object: Body, ...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (object[name] == null ? [] : [[name, object[name]]])))

/** The external id of an object in lines: its own, or its id. */
const named = ({ external_id, id }: Body): string => external_id ?? id

/** The lines of an import that make the same desk, in another order than an import needs. */
function linesOf(desk: Desk): Line[] {
  const byId = new Map(
    Object.values(desk)
      .flat()
      .map((object) => [object.id, named(object)]),
  )
  const references = (object: Body, ...names: string[]) =>
    Object.fromEntries(
      names.flatMap((name) =>
        object[`${name}_id`] == null ? [] : [[`${name}_external_id`, byId.get(object[`${name}_id`])]],
      ),
    )
  const lines = (family: string, type: string, of: (object: Body) => object): Line[] =>
    desk[family]!.map((object) => ({ type, external_id: named(object), ...of(object) }))
  const reasons = new Map(desk.hold_reasons!.map(({ id, name }) => [id, name]))
  return [
    ...lines('messages', 'message', (message) => ({
      ...picked(
        message,
        'author_side',
        'body',
        'body_format',
        'visibility',
        'metadata',
        'created_at',
        'edited_at',
      ),
      ...references(message, 'conversation', 'operator', 'author_end_user', 'in_reply_to'),
    })),
    ...lines('conversations', 'conversation', (conversation) => ({
      ...picked(
        conversation,
        'subject',
        'initiated_by_side',
        'channel',
        'priority',
        'language',
        'status',
        'tags',
      ),
      ...picked(conversation, 'metadata', 'created_at', 'resolved_at', 'closed_at', 'first_response_at'),
      ...references(conversation, 'end_user', 'department', 'category', 'assignee', 'follow_up_of'),
      ...(conversation.hold && {
        hold: {
          reason: reasons.get(conversation.hold.hold_reason_id),
          ...picked(conversation.hold, 'note', 'since'),
        },
      }),
    })),
    ...lines('end_users', 'end_user', (person) =>
      picked(person, 'name', 'emails', 'phones', 'language', 'timezone', 'metadata', 'created_at'),
    ),
    ...lines('categories', 'category', (category) => ({
      ...picked(category, 'name', 'default_priority', 'created_at'),
      ...references(category, 'parent', 'default_department'),
    })),
    ...lines('departments', 'department', (department) =>
      picked(department, 'name', 'routing', 'created_at'),
    ),
    ...lines('tags', 'tag', (tag) => picked(tag, 'name', 'color', 'created_at')),
    ...lines('operators', 'operator', (operator) =>
      picked(operator, 'name', 'email', 'role', 'capacity', 'timezone', 'created_at'),
    ),
  ]
}

/** What a move has to keep of each object, with names in place of ids. */
function kept(desk: Desk) {
  const names = (family: string, of: (object: Body) => unknown) =>
    new Map(desk[family]!.map((object) => [object.id, of(object)]))
  const operators = names('operators', ({ email }) => email)
  const people = names('end_users', named)
  const departments = names('departments', ({ name }) => name)
  const categories = names('categories', ({ path }) => path)
  const reasons = names('hold_reasons', ({ name }) => name)
  const conversations = names('conversations', named)
  const at = (map: Map<string, unknown>, id: string | null) => (id === null ? null : map.get(id))
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
  return {
    conversations: sorted(
      desk.conversations!.map((row) => ({
        external_id: named(row),
        person: at(people, row.end_user_id),
        ...picked(row, 'subject', 'initiated_by_side', 'channel', 'priority'),
        ...picked(row, 'status', 'waiting_on', 'language', 'metadata', 'message_count', 'last_message_at'),
        ...picked(row, 'last_message_side', 'first_response_at', 'resolved_at', 'closed_at', 'created_at'),
        tags: row.tags.toSorted(),
        department: at(departments, row.department_id),
        category: at(categories, row.category_id),
        assignee: at(operators, row.assignee_id),
        hold: row.hold && [at(reasons, row.hold.hold_reason_id), row.hold.note, row.hold.since],
      })),
    ),
    messages: sorted(
      desk.messages!.map((row) => ({
        ...picked(
          row,
          'sequence',
          'author_side',
          'body',
          'body_format',
          'body_html',
          'visibility',
          'created_at',
        ),
        conversation: at(conversations, row.conversation_id),
        operator: at(operators, row.operator_id),
        person: at(people, row.author_end_user_id),
      })),
    ),
    end_users: sorted(
      desk.end_users!.map((row) => ({
        external_id: named(row),
        ...picked(row, 'name', 'language', 'created_at'),
      })),
    ),
    operators: sorted(
      desk.operators!.map((row) => picked(row, 'name', 'email', 'role', 'open_conversations', 'created_at')),
    ),
    categories: sorted(desk.categories!.map((row) => picked(row, 'path', 'created_at'))),
    tags: sorted(desk.tags!.map((row) => picked(row, 'name', 'color', 'created_at'))),
  }
}

test('the desk of the demo is the same, row by row, after it was exported and imported', async () => {
  const [from, to] = [await api.world(), await api.world()]
  await json(
    { BACKLINE_URL: api.url, BACKLINE_API_KEY: from.test.key, XDG_CONFIG_HOME: '/nonexistent' },
    'demo',
    '--conversations',
    '60',
  )
  const before = await exported(from.test)
  // Hold reasons have no lines; those of the same name are used.
  for (const reason of before.hold_reasons!)
    succeeded(await to.test.post('/v1/hold_reasons', picked(reason, 'name', 'waiting_on')))
  const lines = linesOf(before)
  const { job, results } = await imported(api, to.test, lines, { source: 'backline', gzip: true })
  assert.deepEqual(
    results.filter(({ status }) => status === 'failed'),
    [],
  )
  assert.deepEqual(job.progress, { done: lines.length, total: lines.length, failed: 0 })
  const after = await exported(to.test)
  assert.deepEqual(kept(after), kept(before))
  const again = await imported(api, to.test, lines, { source: 'backline' })
  assert.equal(again.job.progress.failed, 0)
  assert.deepEqual(kept(await exported(to.test)), kept(before))
})
