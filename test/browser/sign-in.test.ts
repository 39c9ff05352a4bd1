import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversation, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { canBrowse, linkFor, newPerson, signInAs, violationsOn } from './console.ts'
import { command } from './inbox.ts'

const api = service()

describe('signing in to the console', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('the first administrator says who they are, and is an operator with that name in both environments', async () => {
    const world = await api.world()
    const { page } = await newPerson()
    const link = await linkFor(api, world, null)
    await page.goto(link)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByLabel('Your e-mail address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    for (const client of [world.live, world.test]) {
      const [operator] = succeeded(await client.get('/v1/operators')).data
      assert.deepEqual([operator.name, operator.role], ['Ada Lovelace', 'admin'])
    }
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    assert.match(page.url(), /\/console\/live\/get_started$/)

    const other = await newPerson()
    await other.page.goto(link)
    await other.page.getByText('This link has expired or was used already.').waitFor()
  })

  test('the link of an operator signs them in, and leads to the first steps once, then to the inbox', async () => {
    const world = await api.world()
    const fields = { name: 'Grace Hopper', email: 'grace@example.com', role: 'agent' }
    succeeded(await world.live.post('/v1/operators', fields))
    const { page } = await newPerson()
    await page.goto(await linkFor(api, world, 'grace@example.com'))
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByText('Grace Hopper').waitFor()
    await page.goto(`${api.url}/console/`)
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    assert.match(page.url(), /\/console\/live\/inbox/)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.match(page.url(), /\/console\/$/)
    await page.goto(await linkFor(api, world, 'grace@example.com'))
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
  })

  test('signing out ends the session everywhere', async () => {
    const world = await api.world()
    const { page, context } = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    await page.goto(`${api.url}/console/`)
    const second = await context.newPage()
    await second.goto(`${api.url}/console/`)
    await second.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    await second.reload()
    await second.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    const answer = await second.request.get(`${api.url}/v1/operators`, {
      headers: { 'backline-console': 'test' },
    })
    assert.equal(answer.status(), 401)
  })

  test('signing out keeps or deletes unsent text, as the person says; the end of a session keeps it', async () => {
    const world = await api.world()
    const person = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    const { page } = person
    const { id } = await conversation(world.live, { message: { body: 'It hangs.' } })
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await page.goto(`${api.url}/console/live/inbox/all/${id}`)
    await reply.fill('Which version do you')
    const unsent = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unsent')))
    assert.equal((await unsent()).length, 1)

    for (const client of [world.live, world.test])
      for (const { id } of succeeded(await client.get('/v1/console_sessions')).data)
        assert.equal((await client.delete(`/v1/console_sessions/${id}`)).status, 204)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    assert.equal((await unsent()).length, 1)

    await page.goto(await linkFor(api, world, 'grace.hopper@example.com'))
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.goto(`${api.url}/console/live/inbox/all/${id}`)
    await reply.waitFor()
    assert.equal(await reply.inputValue(), 'Which version do you')
    const dialog = page.getByRole('dialog', { name: 'Sign out with unsent texts?' })
    const signOut = async (answer: string) => {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await dialog.getByText('1 draft').waitFor()
      await dialog.getByRole('button', { name: answer, exact: true }).click()
    }
    await signOut('Stay signed in')
    await dialog.waitFor({ state: 'detached' })
    await signOut('Keep and sign out')
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    assert.equal((await unsent()).length, 1)

    await page.goto(await linkFor(api, world, 'grace.hopper@example.com'))
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await signOut('Delete and sign out')
    await page.getByRole('heading', { name: 'Sign in to Backline' }).waitFor()
    assert.deepEqual(await unsent(), [])
  })

  test('an ended session says so, and signing in leads back to the page, also in another tab', async () => {
    const world = await api.world()
    const { page, context } = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    const { id } = await conversation(world.test, { subject: 'It hangs' })
    await page.goto(`${api.url}/console/test/inbox/all/${id}?q=hangs`)
    await page.getByRole('heading', { name: 'It hangs' }).waitFor()
    for (const client of [world.live, world.test])
      for (const session of succeeded(await client.get('/v1/console_sessions')).data)
        assert.equal((await client.delete(`/v1/console_sessions/${session.id}`)).status, 204)
    await page.reload()
    await page.getByRole('alert').getByText('Your session has ended.').waitFor()
    await page.getByText('console-link.txt').waitFor()
    assert.deepEqual(await violationsOn(page), [])
    const other = await context.newPage()
    await other.goto(await linkFor(api, world, 'grace.hopper@example.com'))
    await other.getByRole('heading', { name: 'It hangs' }).waitFor()
    assert.ok(other.url().endsWith(`/console/test/inbox/all/${id}?q=hangs`), other.url())
  })

  test('the environment is in the address, and the test environment says so at every glance', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    await page.goto(`${api.url}/console/`)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    assert.match(page.url(), /\/console\/live\/inbox/)
    assert.equal(await page.getByText('Test environment', { exact: true }).count(), 0)
    await page.getByRole('link', { name: 'Switch to the Test environment' }).click()
    await page.getByText('Test environment', { exact: true }).waitFor()
    assert.match(page.url(), /\/console\/test\/inbox/)
  })

  test('a link to the live environment does not open the test environment for who has only that', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/operators', { name: 'Grace Hopper', email: 'grace@example.com' }))
    const { page } = await newPerson()
    await page.goto(await linkFor(api, world, 'grace@example.com'))
    await page.getByText('Test environment', { exact: true }).waitFor()
    await page.getByText('You are not an operator of the Live environment.').waitFor()
    await page.goto(`${api.url}/console/live/inbox/all`)
    await page.getByText('You are not an operator of the Live environment').waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('link', { name: 'Switch to the Test environment' }).click()
    await page.getByText('Test environment', { exact: true }).waitFor()
    assert.match(page.url(), /\/console\/test\/inbox/)
  })

  test('pages that a role does not include are not offered, in the palette neither, and refused by their address', async () => {
    const world = await api.world()
    const { page } = await signInAs(api, world, { name: 'Grace Hopper', role: 'agent' })
    await page.goto(`${api.url}/console/`)
    await page.getByRole('link', { name: 'Knowledge' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Engineering' }).count(), 0)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Searches' }).waitFor()
    assert.equal(await page.getByRole('option', { name: 'Test clock' }).count(), 0)
    await page.goto(`${api.url}/console/test/engineering`)
    await page.getByText('Your role does not include this page').waitFor()

    const lead = await signInAs(api, world, { name: 'Mary Jackson', role: 'lead' })
    await lead.page.goto(`${api.url}/console/test/setup/operators`)
    await lead.page.getByText('Your role does not include this page').waitFor()
    await lead.page.goto(`${api.url}/console/test/setup/nothing`)
    await lead.page.getByText('There is no such page').waitFor()
  })

  test('a page of the test environment says so in the live one, and the palette leads to each page', async () => {
    const { page } = await signInAs(api, await api.world(), { name: 'Grace Hopper', role: 'admin' })
    await page.goto(`${api.url}/console/live/engineering/clock`)
    await page.getByText('This page exists in the Test environment only').waitFor()
    await page.goto(`${api.url}/console/test/inbox/open`)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await command(page, 'Test clock')
    await page.getByRole('heading', { name: 'Test clock' }).waitFor()
  })
})
