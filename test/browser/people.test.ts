import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Body, conversation, say, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'
import { atConversation, command, details, press, toast } from './inbox.ts'

const api = service({ works: true })

const looks = {
  light: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 } },
  german: { viewport: { width: 1024, height: 768 }, locale: 'de-DE' },
} as const
type Look = keyof typeof looks

async function opened(
  world: World,
  path: string,
  { look = 'light' as Look, role = 'agent' as 'agent' | 'admin', name = 'Ada Lovelace' } = {},
) {
  const person = await signInAs(api, world, { name, role }, looks[look])
  await person.page.goto(`${api.url}/console/test/${path}`)
  return { ...person, panel: person.page.getByRole('dialog') }
}

const endUser = async ({ test: client }: World, fields: object): Promise<Body> =>
  succeeded(await client.post('/v1/end_users', fields))

const company = async ({ test: client }: World, fields: object): Promise<Body> =>
  succeeded(await client.post('/v1/companies', fields))

const people = (page: Page) => page.getByRole('list', { name: 'People' }).getByRole('link')
const search = (page: Page) => page.getByRole('searchbox', { name: /^Search by|^Nach/ })

/** A person with all that a page can show. */
async function mary(world: World) {
  const { test: client } = world
  succeeded(
    await client.post('/v1/custom_fields', {
      applies_to: 'end_user',
      key: 'plan',
      name: 'Plan',
      type: 'text',
    }),
  )
  const acme = await company(world, {
    name: 'Analytical Engines',
    domains: ['engines.example'],
    external_id: 'ae-1',
  })
  const person = await endUser(world, {
    external_id: 'user_42',
    name: 'Mary Jackson',
    emails: [{ address: 'mary@engines.example', verified: true }, { address: 'mj@example.org' }],
    phones: ['+493012345678'],
    timezone: 'Asia/Tokyo',
    language: 'fr',
    company_ids: [acme.id],
    custom_fields: { plan: 'Enterprise' },
    metadata: { crm: '7781' },
  })
  const { id } = await conversation(client, { subject: 'Card declined', company_id: acme.id })
  await say(client, id, 'end_user', { body: 'It was declined twice.' })
  succeeded(await client.post('/v1/end_user_sessions', { end_user_id: person.id }))
  return { person, acme, conversationId: id }
}

describe('people', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('are found by name, e-mail address and external id, and opened by keyboard', async () => {
    const world = await api.world()
    await mary(world)
    for (const name of ['Grace Hopper', 'Lin Wu']) await endUser(world, { name })
    const { page } = await opened(world, 'people')
    await until('all are there', async () => (await people(page).count()) === 3)
    for (const typed of ['Jackson', 'mary@engines.example', 'user_42']) {
      await press(page, '/')
      await page.keyboard.press('Control+a')
      await page.keyboard.type(typed)
      await page.waitForURL(({ searchParams }) => searchParams.get('q') === typed) // the one before found her, too
      await until(`${typed} finds her`, async () => (await people(page).count()) === 1)
    }
    await people(page).getByText('Analytical Engines').waitFor()
    await search(page).press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
    assert.equal(await page.title(), 'Mary Jackson · Backline')
    await page.goBack()
    await people(page).first().waitFor()
    assert.equal(await search(page).inputValue(), 'user_42')
    assert.equal(await page.title(), 'People · Backline')
    await command(page, 'Companies')
    await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor()
  })

  test('the row that has the focus keeps it while another word is looked up, and opens', async () => {
    const world = await api.world()
    await mary(world)
    const { page } = await opened(world, 'people?q=Jackson')
    await people(page).first().waitFor()
    const answers = Promise.withResolvers<void>()
    await page.route(/\/v1\/end_users\?.*user_42/, async (route) => {
      await answers.promise
      await route.continue()
    })
    const asked = page.waitForRequest(/\/v1\/end_users\?.*user_42/)
    await search(page).fill('user_42')
    await search(page).press('ArrowDown')
    await asked
    const answered = page.waitForResponse(/\/v1\/end_users\?.*user_42/)
    answers.resolve()
    await answered
    await page.locator('[aria-busy=false]').getByRole('list', { name: 'People' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
  })

  test('are listed page by page, with only the rows in sight drawn', async () => {
    const world = await api.world()
    for (let i = 0; i < 120; i += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, j) =>
          endUser(world, { name: `Person ${String(i + j).padStart(3, '0')}` }),
        ),
      )
    const { page } = await opened(world, 'people?sort=name')
    await people(page).first().waitFor()
    await press(page, 'j')
    for (let i = 0; i < 119; i++) {
      await page.keyboard.press('j')
      if (i % 20 === 0) await page.waitForTimeout(50)
    }
    await until('the last one has the focus', async () => {
      await page.keyboard.press('j')
      return page.locator(':focus').getByText('Person 119').isVisible()
    })
    assert.ok((await people(page).count()) < 60)
    await search(page).fill('Person')
    await until('another search begins with its first row', async () => {
      const box = await people(page).getByText('Person 000').boundingBox()
      return box !== null && box.y > 0
    })
  })

  test('by a saved view of end users', async () => {
    const world = await api.world()
    await mary(world)
    await endUser(world, { name: 'Lin Wu' })
    const filter = { field: 'email', op: 'exists', value: true }
    succeeded(await world.test.post('/v1/views', { name: 'With an address', applies_to: 'end_user', filter }))
    const { page } = await opened(world, 'people')
    await people(page).nth(1).waitFor()
    const answers = Promise.withResolvers<void>()
    await page.route(/\/items/, async (route) => {
      await answers.promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'With an address' }).click()
    await page.getByRole('heading', { name: 'With an address', level: 1 }).waitFor()
    const rows = page.getByRole('list', { name: 'With an address' }).getByRole('link')
    assert.equal(await rows.count(), 0, 'rows of another list')
    answers.resolve()
    await until('the view lists one', async () => (await rows.count()) === 1)
    await rows.getByText('Mary Jackson').waitFor()
  })

  test('changes by others are shown at once', async () => {
    const world = await api.world()
    const { id } = await endUser(world, { name: 'Lin Wu' })
    const { page } = await opened(world, 'people')
    await people(page).getByText('Lin Wu').waitFor()
    succeeded(await world.test.patch(`/v1/end_users/${id}`, { name: 'Lin Wu-Meyer' }))
    await people(page).getByText('Lin Wu-Meyer').waitFor()
    await endUser(world, { name: 'Grace Hopper' })
    await people(page).getByText('Grace Hopper').waitFor()
    await people(page).getByText('Lin Wu-Meyer').click()
    await page.getByRole('heading', { name: 'Lin Wu-Meyer', level: 1 }).waitFor()
    succeeded(await world.test.post(`/v1/end_users/${id}/block`, { reason: 'Insults' }))
    await page.getByText('Insults').waitFor()
  })
})

describe('the page of a person', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('shows all that is known, and leads to conversations and the company', async () => {
    const world = await api.world()
    const { person, conversationId } = await mary(world)
    const { page } = await opened(world, `people/${person.id}`)
    for (const text of [
      'mary@engines.example',
      'mj@example.org',
      '+493012345678',
      'French',
      'user_42',
      '7781',
    ])
      await page.getByText(text, { exact: true }).first().waitFor()
    await page.getByText('8 h ahead of you').waitFor()
    await page.getByRole('button', { name: 'Plan: Enterprise' }).waitFor()
    assert.equal(await page.getByRole('img', { name: 'Verified' }).count(), 1)
    await page.getByRole('cell', { name: 'Your server' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'End all sessions' }).count(), 0, 'agents may not')
    await page.getByRole('link', { name: 'Card declined' }).click()
    await page.waitForURL(`**/inbox/all/${conversationId}`)
    await details(page).getByRole('link', { name: 'Mary Jackson' }).click()
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Analytical Engines' }).click()
    await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
    await page.getByText('engines.example', { exact: true }).first().waitFor()
    await page.getByRole('heading', { name: '1 person' }).waitFor()
    await page.getByRole('link', { name: 'Card declined' }).waitFor()
    await page.getByRole('link', { name: 'Mary Jackson' }).click()
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
  })

  test('edits fields; an address that is edited is no longer verified', async () => {
    const world = await api.world()
    const { person, acme } = await mary(world)
    const { page, panel } = await opened(world, `people/${person.id}`)
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
    await press(page, 'e')
    await panel.getByLabel('Name', { exact: true }).fill('Mary W. Jackson')
    assert.ok(await panel.getByRole('textbox', { name: 'External ID' }).isDisabled())
    assert.ok(
      await panel
        .getByLabel(/^Verified/)
        .first()
        .isChecked(),
    )
    await panel.getByRole('textbox', { name: 'E-mail address 1' }).fill('mary.j@engines.example')
    assert.ok(
      !(await panel
        .getByLabel(/^Verified/)
        .first()
        .isChecked()),
    )
    await panel.getByRole('button', { name: 'Remove mj@example.org' }).click()
    await panel.getByRole('button', { name: 'Add an address' }).click()
    await panel.getByRole('textbox', { name: 'E-mail address 2' }).fill('not an address')
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'people-edit')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel
      .getByRole('textbox', { name: 'E-mail address 2' })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
    await panel.getByRole('textbox', { name: 'E-mail address 2' }).fill('mary@example.com')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mary W. Jackson', level: 1 }).waitFor()
    const now = succeeded(await world.test.get(`/v1/end_users/${person.id}`))
    assert.deepEqual(
      [now.name, now.emails, now.company_ids, now.phones],
      [
        'Mary W. Jackson',
        [
          { address: 'mary.j@engines.example', verified: false },
          { address: 'mary@example.com', verified: false },
        ],
        [acme.id],
        ['+493012345678'],
      ],
    )
  })

  test('does not overwrite what somebody else has changed', async () => {
    const world = await api.world()
    const { id } = await endUser(world, { name: 'Lin Wu', external_id: 'user_7' })
    const { page, panel } = await opened(world, `people/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await panel.getByLabel('Name', { exact: true }).fill('Lin Wu-Meyer')
    succeeded(await world.test.patch(`/v1/end_users/${id}`, { name: 'Dr. Lin Wu' }))
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByRole('definition').getByText('Dr. Lin Wu').waitFor()
    assert.equal(succeeded(await world.test.get(`/v1/end_users/${id}`)).name, 'Dr. Lin Wu')
    await panel.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('heading', { name: 'Lin Wu-Meyer', level: 1 }).waitFor()
  })

  test('blocks after a question, and unblocks', async () => {
    const world = await api.world()
    const { id } = await endUser(world, { name: 'Lin Wu' })
    const { page, panel } = await opened(world, `people/${id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Block…' }).click()
    await panel.getByLabel('Reason').fill('Insults')
    await panel.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByText(/^Blocked since/).waitFor()
    await page.getByRole('button', { name: 'Unblock' }).click()
    await toast(page, 'Unblocked').waitFor()
    assert.equal(succeeded(await world.test.get(`/v1/end_users/${id}`)).status, 'active')
  })

  test('merges with another person after a dry run', async () => {
    const world = await api.world()
    const { person } = await mary(world)
    const { id } = await endUser(world, {
      name: 'M. Jackson',
      external_id: 'app_9',
      emails: [{ address: 'jackson@example.net' }],
    })
    succeeded(await world.test.post('/v1/conversations', { end_user_id: id, subject: 'Second account' }))
    const { page, panel } = await opened(world, `people/${person.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Merge with another…' }).click()
    await panel.getByRole('searchbox').fill('app_9')
    await panel.getByRole('listitem').filter({ hasText: 'M. Jackson' }).getByRole('button').click()
    await panel.getByText('1 conversation moves to Mary Jackson.').waitFor()
    await panel.getByText('The external ID app_9 leads to Mary Jackson from then on.').waitFor()
    await panel.getByRole('row', { name: 'Name Mary Jackson M. Jackson' }).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'people-merge')
    const before = succeeded(await world.test.get(`/v1/end_users/${id}`))
    assert.equal(before.status, 'active', 'the dry run changes nothing')
    await panel.getByRole('radio', { name: /^M\. Jackson/ }).check()
    await panel.getByText('1 conversation moves to M. Jackson.').waitFor()
    await panel.getByRole('radio', { name: /^Mary Jackson/ }).check()
    await panel.getByText('1 conversation moves to Mary Jackson.').waitFor()
    await panel.getByRole('button', { name: 'Merge', exact: true }).click()
    await toast(page, 'Merged into Mary Jackson').waitFor()
    await page.getByRole('link', { name: 'Second account' }).waitFor()
    const merged = succeeded(await world.test.get(`/v1/end_users/${id}`))
    assert.deepEqual([merged.status, merged.merged_into_id], ['merged', person.id])
    await page.goto(`${api.url}/console/test/people/${id}`)
    await page.getByRole('link', { name: /^This person was merged/ }).click()
    await page.waitForURL(`**/people/${person.id}`)
  })

  test('ends sessions, holds and erases for those who may', async () => {
    const world = await api.world()
    const { person } = await mary(world)
    const { page, panel } = await opened(world, `people/${person.id}`, { role: 'admin' })
    await page.getByRole('button', { name: 'End all sessions' }).click()
    await panel.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('cell', { name: 'Ended' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set a legal hold…' }).click()
    await panel.getByLabel('Reason').fill('Case 2026-117')
    await panel.getByRole('button', { name: 'Legal hold' }).click()
    await page.getByText('Case 2026-117').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    assert.ok(await page.getByRole('menuitem', { name: 'Erase…' }).isDisabled())
    await page.getByRole('menuitem', { name: 'End the legal hold' }).click()
    await toast(page, 'The legal hold has ended').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Erase…' }).click()
    await panel.getByLabel(/^Type “Mary Jackson”/).fill('Mary Jackson')
    await panel.getByRole('button', { name: 'Erase for good' }).click()
    await page.waitForURL('**/setup/jobs/job_*')
    await until('she is erased', async () => {
      return succeeded(await world.test.get(`/v1/end_users/${person.id}`)).status === 'erased'
    })
    await page.goto(`${api.url}/console/test/people/${person.id}`)
    await page.getByText(/^The data of this person was erased/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  })
})

describe('a new person and a new company', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('are created by agents, edited, archived and deleted', async () => {
    const world = await api.world()
    const { page, panel } = await opened(world, 'companies')
    await page.getByText('No companies yet').waitFor()
    await press(page, 'c')
    await panel.getByLabel('Name').fill('Analytical Engines')
    await panel.getByLabel('Domains').fill('engines.example')
    await page.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Analytical Engines', level: 1 }).waitFor()
    await press(page, 'g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await press(page, 'c')
    await panel.getByLabel('Name', { exact: true }).fill('Lin Wu')
    await panel.getByLabel('Companies').fill('Analytical')
    await page.getByRole('option', { name: 'Analytical Engines' }).click()
    await panel.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Lin Wu', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Analytical Engines' }).click()
    await page.getByRole('heading', { name: '1 person' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await panel.getByRole('button', { name: 'Delete', exact: true }).click()
    await panel.getByText('It is in use').waitFor()
    await panel.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('No companies yet').waitFor()
    const [{ archived, domains }] = succeeded(await world.test.get('/v1/companies?archived=true')).data
    assert.deepEqual([archived, domains], [true, ['engines.example']])
    const [{ id }] = succeeded(await world.test.get('/v1/end_users')).data
    await page.goto(`${api.url}/console/test/people/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await panel.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page
      .getByRole('dialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete', exact: true })
      .click()
    await page.getByText('Nobody here yet').waitFor()
  })
})

describe('a new conversation', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('is begun from the inbox by `c` with a person who is found, and opened', async () => {
    const world = await api.world()
    const { person } = await mary(world)
    const { id: department } = succeeded(await world.test.post('/v1/departments', { name: 'Billing' }))
    const { page, panel, operatorId } = await opened(world, 'inbox/open')
    await page.getByRole('link', { name: /Card declined/ }).waitFor()
    await press(page, 'c')
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByText('Choose to whom you write').waitFor()
    await panel.getByRole('searchbox', { name: 'With' }).fill('mary@eng')
    await panel.getByRole('searchbox', { name: 'With' }).press('Enter')
    await panel.getByRole('button', { name: 'Choose somebody else' }).waitFor()
    await panel.getByLabel('Channel').selectOption('Phone')
    await panel.getByLabel('Department').selectOption('Billing')
    await panel.getByLabel('Subject').fill('Your invoice')
    await panel.getByLabel('Message').fill('We have called you.')
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'people-new-conversation')
    await panel.getByLabel('Message').press('Control+Enter')
    await page.waitForURL('**/inbox/open/conv_*')
    await page.getByRole('log').getByText('We have called you.').waitFor()
    assert.equal(await page.title(), 'Your invoice · Backline')
    const { data } = succeeded(await world.test.get(`/v1/conversations?end_user_id=${person.id}`))
    const begun = data.find((each: Body) => each.subject === 'Your invoice')
    assert.deepEqual(
      [begun.initiated_by_side, begun.channel, begun.department_id, begun.assignee_id, begun.status],
      ['operator', 'phone', department, operatorId, 'pending'],
    )
  })

  test('is begun with a new person, once, also if the first answer is lost', async () => {
    const world = await api.world()
    succeeded(
      await world.test.post('/v1/custom_fields', {
        ...{ applies_to: 'conversation', key: 'product', name: 'Product', type: 'text' },
        required_on: 'create',
      }),
    )
    const { page, panel } = await opened(world, 'inbox/open')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await panel.getByRole('searchbox', { name: 'With' }).fill('lin@example.net')
    await panel.getByRole('button', { name: 'New person “lin@example.net”…' }).click()
    assert.equal(await panel.getByLabel('E-mail address').inputValue(), 'lin@example.net')
    await panel.getByLabel('Name').fill('Lin Wu')
    await panel.getByLabel('External ID').fill('user_7')
    await panel.getByLabel('Message').fill('Welcome!')
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByText('This field needs a value').waitFor()
    await panel.getByLabel('Product').fill('Engine')
    let lost = 0
    await page.route('**/v1/conversations', async (route) => {
      if (route.request().method() !== 'POST' || lost >= 3) return route.continue()
      lost++
      await route.fetch()
      await route.abort('connectionreset')
    })
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByText('The conversation was not begun').waitFor()
    await panel.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('Welcome!').waitFor()
    const found = succeeded(await world.test.get('/v1/end_users')).data
    assert.deepEqual(
      found.map(({ name, external_id, emails }: Body) => [name, external_id, emails]),
      [['Lin Wu', 'user_7', [{ address: 'lin@example.net', verified: false }]]],
    )
    const begun = succeeded(await world.test.get('/v1/conversations')).data
    assert.deepEqual(
      begun.map((each: Body) => each.custom_fields),
      [{ product: 'Engine' }],
    )
  })

  test('goes out as a mail from the page of a person who has an address', async () => {
    const world = await api.world()
    const { person } = await mary(world)
    const { id: nameless } = await endUser(world, { name: 'Lin Wu' })
    const { id: mailbox } = succeeded(
      await world.test.post('/v1/mailboxes', { address: 'support@example.com' }),
    )
    const { page, panel } = await opened(world, `people/${person.id}`)
    await page.getByRole('heading', { name: 'Mary Jackson', level: 1 }).waitFor()
    await press(page, 'c')
    await panel.getByText('Goes to mary@engines.example').waitFor()
    await panel.getByLabel('Subject').fill('Your invoice')
    await panel.getByLabel('Message').fill('It is attached.')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard this message?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await panel.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('log').getByText('It is attached.').waitFor()
    await page.waitForURL('**/inbox/all/conv_*')
    const { data } = succeeded(await world.test.get(`/v1/conversations?end_user_id=${person.id}`))
    const begun = data.find((each: Body) => each.subject === 'Your invoice')
    assert.deepEqual([begun.channel, begun.mailbox_id], ['email', mailbox])
    const [message] = succeeded(await world.test.get(`/v1/conversations/${begun.id}/messages`)).data
    assert.deepEqual(
      message.email.to.map(({ address }: Body) => address),
      ['mary@engines.example'],
    )
    await page.goto(`${api.url}/console/test/people/${nameless}`)
    await page.getByRole('button', { name: 'New conversation' }).click()
    await panel.getByLabel('Message').fill('Hello')
    await panel.getByLabel('Channel').selectOption('E-mail from support@example.com')
    await panel.getByRole('button', { name: 'Send' }).click()
    await panel.getByText('This person has no e-mail address. Choose another channel.').waitFor()
  })

  test('`c` takes the conversation that is open', async () => {
    const world = await api.world()
    const { conversationId } = await mary(world)
    const { page, operatorId } = await atConversation(api, world, conversationId)
    await press(page, 'c')
    await until('it is taken', async () => {
      const now = succeeded(await world.test.get(`/v1/conversations/${conversationId}`))
      return now.assignee_id === operatorId
    })
    assert.equal(await page.getByRole('dialog', { name: 'New conversation' }).count(), 0)
  })
})

describe('pages of people and companies', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  let world: World
  let paths: Record<string, string>
  before(async () => {
    world = await api.world()
    const { person, acme } = await mary(world)
    for (const name of [
      'Grace Hopper',
      'Lin Wu',
      'Katherine Johnson',
      'A name that is longer than any row has room for, by far',
    ])
      await endUser(world, {
        name,
        company_ids: [acme.id],
        emails: [{ address: `${name.split(' ').at(-1)!.toLowerCase()}@engines.example` }],
      })
    const { id } = await endUser(world, { external_id: 'user_99' })
    succeeded(await world.test.post(`/v1/end_users/${id}/block`, { reason: 'Insults' }))
    paths = {
      'people-list': 'people',
      'people-person': `people/${person.id}`,
      'people-blocked': `people/${id}`,
      'people-companies': 'companies',
      'people-company': `companies/${acme.id}`,
    }
  })

  for (const look of Object.keys(looks) as Look[])
    test(`are accessible and fit the window: ${look}`, async () => {
      const { page } = await opened(world, 'people', { look, role: 'admin', name: `Ada ${look}` })
      const wrong: string[] = []
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(`${api.url}/console/test/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const label of ['Loading', 'Wird geladen'])
          await page
            .locator(`main [role=status][aria-label="${label}"]`)
            .first()
            .waitFor({ state: 'detached' })
        await photograph(page, `${name}-${look}`)
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          wrong.push(`${name} scrolls sideways`)
        for (const violation of await violationsOn(page)) wrong.push(`${name}: ${violation}`)
      }
      assert.deepEqual(wrong, [])
    })
})
