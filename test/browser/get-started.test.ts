import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversation, operator, succeeded } from '../desk.ts'
import { service } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse, linkFor, newPerson, photograph, signInAs, violationsOn } from './console.ts'
import { command } from './inbox.ts'

const api = service()

describe('the first steps', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('show an administrator what there is to do in both environments and what is done, until they are closed', async () => {
    const world = await api.world()
    const { page } = await newPerson()
    await page.goto(await linkFor(api, world, null))
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Your e-mail address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByText('You are in the live environment').waitFor()
    const step = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
    await step('Set yourself online').getByText('Live: Offline · Test: Offline').waitFor()
    await step('Connect your software')
      .getByText(/^\d+ keys?: /)
      .waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'get-started')

    await step('Set yourself online').getByRole('button', { name: 'Set online' }).click()
    await step('Set yourself online').getByText('Live: Online · Test: Online').waitFor()
    for (const client of [world.live, world.test]) {
      const [self] = succeeded(await client.get('/v1/operators')).data
      assert.equal(self.status, 'online')
    }
    const replies = step('Who answers takes it').getByRole('checkbox')
    assert.equal(await replies.isChecked(), false)
    await replies.check()
    await until(
      'a reply assigns',
      async () => succeeded(await world.live.get('/v1/workspace')).reply_assigns === true,
    )
    await operator(world.live, { name: 'Grace Hopper' })
    await page.reload()
    await step('Invite colleagues').getByText('1 colleague').waitFor()
    await step('Try it with an invented desk')
      .getByRole('button', { name: 'Fill the test environment' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Fill the test environment' })
    await dialog.getByRole('button', { name: 'Fill it' }).click()
    await until(
      'the test environment has departments',
      async () => succeeded(await world.test.get('/v1/departments?limit=1')).data.length > 0,
    )
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await page.keyboard.press('Escape')
    await conversation(world.test, { subject: 'It hangs' })
    await page.reload()
    await step('Try it with an invented desk').getByText('The test environment has conversations.').waitFor()
    assert.deepEqual(succeeded(await world.live.get('/v1/departments')).data, [])

    await page.getByRole('button', { name: 'Do not show this again' }).click()
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    await page.goto(await linkFor(api, world, 'ada@example.com'))
    await page.getByRole('heading', { name: 'No conversations yet' }).first().waitFor()
    await page.getByRole('link', { name: 'Get started' }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByRole('link', { name: 'Switch to the Test environment' }).last().click()
    await page.getByText('You are in the test environment').waitFor()
    await page.getByRole('link', { name: 'Open the inbox' }).click()
    await page.getByRole('heading', { name: 'Open', exact: true }).waitFor()
    assert.match(page.url(), /\/console\/test\/inbox/)
  })

  test('are shorter for an agent: the status and the keys', async () => {
    const world = await api.world()
    const look = { viewport: { width: 390, height: 844 }, locale: 'de-DE', colorScheme: 'dark' } as const
    const { page } = await signInAs(api, world, { name: 'Mary Jackson', role: 'agent' }, look)
    await page.goto(`${api.url}/console/test/inbox/open`)
    await page.getByRole('banner').waitFor()
    await command(page, 'Erste Schritte')
    await page.getByRole('heading', { name: 'Erste Schritte' }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('listitem').count(), 2)
    await page.getByText('Live: Offline · Test: Offline').waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await photograph(page, 'get-started-agent')
    await page.getByRole('button', { name: 'Tastenkürzel' }).click()
    await page.getByRole('dialog', { name: 'Tastenkürzel' }).getByText('Eingang').waitFor()
  })
})
