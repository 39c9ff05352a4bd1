import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type Answer,
  byId,
  filesOf,
  type Recorded,
  readCopy,
  temporaryFolder,
} from '../recorded.test-fixtures.ts'
import { type Account, account, at, comment, ticket } from './zendesk.test-fixtures.ts'

describe('a fetch from Zendesk', () => {
  test('takes people, groups and organizations from all pages', async (t) => {
    const { lines } = await (await account(t)).fetch()
    assert.deepEqual(byId(lines, 'department'), {
      5: { type: 'department', external_id: '5', name: 'Billing', archived: false },
      6: { type: 'department', external_id: '6', name: 'Old', archived: true },
    })
    assert.deepEqual(byId(lines, 'company')['zendesk:7'].domains, ['example.com'])
    const operators = byId(lines, 'operator')
    assert.deepEqual(
      [operators[1].role, operators[1].timezone, operators[1].archived, operators[2].archived],
      ['admin', 'Europe/Berlin', false, true],
    )
    assert.deepEqual(byId(lines, 'end_user')['zendesk:10'], {
      type: 'end_user',
      external_id: 'zendesk:10',
      name: 'Carl Customer',
      emails: [{ address: 'carl@example.com', verified: true }],
      phones: ['+4930123456'],
      language: 'de',
      company_external_ids: ['zendesk:7'],
      metadata: {
        zendesk_id: '10',
        zendesk_external_id: 'user_42',
        zendesk_tags: '["vip"]',
        zendesk_plan: 'pro',
      },
      created_at: '2024-01-05T09:00:00.000Z',
    })
    // What no field takes is kept beside.
    const { metadata } = byId(lines, 'end_user')['zendesk:11']
    assert.deepEqual([metadata.other_emails, metadata.other_phones], ['not an address', '0301'])
  })

  test('maps status, times, authors, notes and fields of a ticket', async (t) => {
    const tickets = [
      ticket(101, { status: 'solved', via: { channel: 'web' } }),
      ticket(102, { status: 'hold' }),
      ticket(103, { status: 'closed', updated_at: at(40) }),
    ]
    const comments = {
      101: [comment(1, 10), comment(2, 1), comment(3, 1, { public: false }), comment(4, 11), comment(5, -1)],
    }
    const { lines } = await (await account(t, { tickets, comments })).fetch()
    const conversations = byId(lines, 'conversation')
    assert.deepEqual(conversations['zendesk:101'], {
      type: 'conversation',
      external_id: 'zendesk:101',
      end_user_external_id: 'zendesk:10',
      subject: 'Ticket 101',
      status: 'resolved',
      initiated_by_side: 'end_user',
      channel: 'web',
      priority: 'high',
      department_external_id: '5',
      assignee_external_id: '1',
      company_external_id: 'zendesk:7',
      participant_external_ids: ['zendesk:11'],
      tags: ['billing'],
      metadata: { zendesk_status: 'solved', zendesk_Order: 'A-17' },
      created_at: '2024-01-05T09:01:00.000Z',
      updated_at: '2024-01-05T09:30:00.000Z',
      resolved_at: '2024-01-05T09:20:00.000Z',
      first_response_at: '2024-01-05T09:06:00.000Z',
    })
    assert.deepEqual(
      [conversations['zendesk:102'].status, conversations['zendesk:102'].metadata.zendesk_status],
      ['pending', 'hold'],
    )
    assert.equal(conversations['zendesk:103'].closed_at, '2024-01-05T09:40:00.000Z')
    const messages = lines.filter(({ conversation_external_id: id }) => id === 'zendesk:101')
    assert.deepEqual(
      messages.map(({ external_id, author_side, visibility }) => [external_id, author_side, visibility]),
      [
        ['zendesk:comment:1', 'end_user', 'public'],
        ['zendesk:comment:2', 'operator', 'public'],
        ['zendesk:comment:3', 'operator', 'internal'],
        ['zendesk:comment:4', 'end_user', 'public'],
        ['zendesk:comment:5', 'system', 'public'],
      ],
    )
    assert.deepEqual(
      [
        messages[0].body,
        messages[0].body_format,
        messages[1].operator_external_id,
        messages[3].author_end_user_external_id,
      ],
      ['Comment **1**', 'markdown', '1', 'zendesk:11'],
    )
  })

  test('goes on to the end of the stream, with archived tickets, and reports deleted ones', async (t) => {
    const tickets = [1, 2, 3, 4, 5].map((id) => ticket(id, id === 4 ? { status: 'deleted' } : {}))
    const { fetch, requests } = await account(t, { tickets })
    const { lines, losses } = await fetch()
    assert.deepEqual(
      Object.keys(byId(lines, 'conversation')),
      ['1', '2', '3', '5'].map((id) => `zendesk:${id}`),
    )
    assert.deepEqual(losses, [
      {
        source_type: 'conversation',
        source_id: 'zendesk:4',
        reason: 'deleted',
        detail: 'the ticket is deleted; its comments cannot be read',
      },
    ])
    const exports = requests.filter((each) => each.includes('/incremental/tickets/'))
    assert.match(exports[0]!, /start_time=0&/)
    assert.match(exports[1]!, /cursor=2&/)
    assert.ok(!requests.some((each) => each.includes('/tickets/4/')))
  })

  test('fetches files, shows inline images, and reports files that are missing', async (t) => {
    const html_body =
      '<p>See <img src="{url}/attachments/token/b/shot.png" alt="shot"> and <img src="{url}/attachments/token/c/lost.png" alt="lost"></p>'
    const comments: Account['comments'] = {}
    const own = await account(t, {
      comments,
      files: {
        '/attachments/token/a/bill.pdf': { body: 'PDF' },
        '/attachments/token/b/shot.png': { body: 'PNG' },
      },
    })
    const file = (id: number, name: string, more = {}) => ({
      id,
      file_name: name,
      content_url: `${own.url}/attachments/token/${name === 'bill.pdf' ? 'a' : 'gone'}/${name}`,
      content_type: 'application/pdf',
      ...more,
    })
    comments[100] = [
      comment(1, 10, {
        html_body: html_body.replaceAll('{url}', own.url),
        attachments: [file(1, 'bill.pdf'), file(2, 'gone.pdf')],
      }),
    ]
    const { lines, losses } = await own.fetch()
    const { body, attachments } = byId(lines, 'message')['zendesk:comment:1']
    const [bill, shot] = attachments
    assert.deepEqual(
      attachments.map(({ filename, disposition }: Recorded) => [filename, disposition]),
      [
        ['bill.pdf', 'attachment'],
        ['shot.png', 'inline'],
      ],
    )
    assert.equal(body, `See ![shot](file:${shot.path}) and lost`)
    assert.equal(readFileSync(join(own.folder, bill.path), 'utf8'), 'PDF')
    assert.deepEqual(
      losses.map(({ reason, source_id, detail }) => [reason, source_id, detail.split(':')[0]]),
      [
        ['file_missing', 'zendesk:comment:1', 'gone.pdf'],
        ['file_missing', 'zendesk:comment:1', 'lost.png'],
      ],
    )
  })

  test('leaves out references to what is not there, and keeps the rest of the ticket', async (t) => {
    const followUp = (id: number) => ({
      channel: 'web',
      source: { rel: 'follow_up', from: { ticket_id: id } },
    })
    const tickets = [
      ticket(101, { group_id: 77, organization_id: 78 }),
      ticket(102, { via: followUp(101) }),
      ticket(103, { via: followUp(9) }),
    ]
    const { lines, losses } = await (await account(t, { tickets })).fetch()
    const conversations = byId(lines, 'conversation')
    const { department_external_id, company_external_id, metadata } = conversations['zendesk:101']
    assert.deepEqual([department_external_id, company_external_id], [undefined, undefined])
    assert.deepEqual([metadata.zendesk_department, metadata.zendesk_company], ['77', 'zendesk:78'])
    assert.equal(conversations['zendesk:102'].follow_up_of_external_id, 'zendesk:101')
    assert.equal(conversations['zendesk:103'].follow_up_of_external_id, undefined)
    assert.deepEqual(
      losses.map(({ source_id, reason, detail }) => [source_id, reason, detail]),
      [
        ['zendesk:101', 'reference_missing', 'department 77 is not in the copy'],
        ['zendesk:101', 'reference_missing', 'company zendesk:78 is not in the copy'],
        ['zendesk:103', 'reference_missing', 'conversation zendesk:9 is not in the copy'],
      ],
    )
  })

  test('waits as long as the rate limit asks, and repeats what fails for a time', async (t) => {
    const pauses: number[] = []
    const early: Answer[] = [
      { status: 429, headers: { 'retry-after': '17' } },
      { status: 503, headers: { 'retry-after': '3' } },
      { status: 502, body: '<html>' },
    ]
    const own = await account(t, {
      first: ({ path }) => (path.includes('/incremental/tickets/') ? (early.shift() ?? null) : null),
    })
    const { lines } = await own.fetch({ pauses })
    assert.equal(Object.keys(byId(lines, 'conversation')).length, 1)
    assert.deepEqual(pauses.slice(0, 2), [17_000, 3_000])
    assert.equal(pauses.length, 3)
  })

  test('of wrong credentials says so, without repeating', async (t) => {
    const { fetch, requests } = await account(t)
    await assert.rejects(fetch({ headers: {} }), /Zendesk answered 401 .*credentials are not valid/)
    assert.equal(requests.length, 1)
  })

  test('that is stopped anywhere and started again leaves the folder of an undisturbed one', async (t) => {
    const tickets = [1, 2, 3, 4, 5].map((id) => ticket(id))
    const files = { '/attachments/token/a/bill.pdf': { body: 'PDF' } }
    const comments: Account['comments'] = {}
    const stopAt = { count: Number.POSITIVE_INFINITY, stop: () => {} }
    let asked = 0
    const own = await account(t, {
      tickets,
      files,
      comments,
      first: () => {
        if (++asked === stopAt.count) stopAt.stop()
        return null
      },
    })
    const content_url = `${own.url}/attachments/token/a/bill.pdf`
    for (const { id } of tickets)
      comments[id] = [
        comment(id * 10, 10, { attachments: [{ id: 1, file_name: 'bill.pdf', content_url }] }),
        comment(id * 10 + 1, 1),
        comment(id * 10 + 2, 1),
      ]
    await own.fetch()
    const [undisturbed, total] = [filesOf(own.folder), asked]
    assert.ok(total > 15)
    for (let count = 1; count <= total; count++) {
      const folder = temporaryFolder(t)
      const stopping = new AbortController()
      Object.assign(stopAt, { count, stop: () => stopping.abort() })
      asked = 0
      await assert.rejects(
        own.fetch({ folder, signal: stopping.signal }),
        { code: 'cancelled' },
        `request ${count}`,
      )
      Object.assign(stopAt, { count: Number.POSITIVE_INFINITY })
      await own.fetch({ folder })
      assert.deepEqual(filesOf(folder), undisturbed, `stopped at request ${count}`)
    }
  })

  test('after a complete one adds what is new alone', async (t) => {
    const own = await account(t)
    const before = await own.fetch()
    own.requests.length = 0
    assert.deepEqual((await own.fetch()).lines, before.lines)
    assert.ok(!own.requests.some((each) => each.includes('/comments')), 'no comments are read again')
    own.own.tickets.push(ticket(100, { status: 'solved', updated_at: at(50) }), ticket(200))
    own.own.comments[100] = [comment(1000, 10), comment(1001, 1)]
    const { lines } = await own.fetch()
    assert.deepEqual(
      lines.slice(before.lines.length).map(({ type, external_id }) => [type, external_id]),
      [
        ['conversation', 'zendesk:100'],
        ['message', 'zendesk:comment:1001'],
        ['conversation', 'zendesk:200'],
        ['message', 'zendesk:comment:2000'],
      ],
    )
  })

  test('refuses the folder of another account, and other options', async (t) => {
    const { folder, fetch } = await account(t)
    await fetch()
    const other = await account(t)
    await assert.rejects(other.fetch({ folder }), /is a copy of zendesk at .*; use another --folder/)
    await assert.rejects(fetch({ since: '2024-01-01T00:00:00.000Z' }), /was begun without --since/)
    assert.ok(readCopy(folder).lines.length > 0)
  })

  test('gives end users the ids of the own product if it is asked for', async (t) => {
    const { lines } = await (await account(t)).fetch({ ownIds: true })
    assert.deepEqual(Object.keys(byId(lines, 'end_user')), ['user_42', 'zendesk:11'])
    assert.equal(byId(lines, 'conversation')['zendesk:100'].end_user_external_id, 'user_42')
    assert.equal(byId(lines, 'message')['zendesk:comment:1000'].author_end_user_external_id, 'user_42')
  })
})
