import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Body, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { arrive, deliver, mail, mailbox } from '../mails.ts'
import { until } from '../processes.ts'
import { smtpRelay } from '../smtp-relay.ts'
import { canBrowse, photograph, signInAs, violationsOn } from './console.ts'

const api = service({ works: true, environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })

type Role = 'lead' | 'admin'

/** Signs somebody in and opens a page of the set-up. */
async function opened(world: World, path: string, role: Role = 'admin', options?: BrowserContextOptions) {
  const person = await signInAs(api, world, { name: `Ada ${role}`, role }, options)
  await person.page.goto(`${api.url}/console/test/setup/${path}`)
  return person
}

const only = async (world: World, path: string): Promise<Body> => {
  const { data } = succeeded(await world.test.get(path))
  assert.equal(data.length, 1, path)
  return data[0]
}

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const reported =
  'Authentication-Results: mx.example.com; spf=pass; dkim=pass; dmarc=pass header.from=example.net'

describe('mail in the set-up', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a mailbox is made, and its page has the texts for DNS, Postfix, a provider and IMAP with its values', async () => {
    const world = await api.world()
    const { id: department } = succeeded(await world.test.post('/v1/departments', { name: 'Billing' }))
    const { page } = await opened(world, 'mailboxes')
    await said(page, 'No mailbox yet')
    await page.getByRole('button', { name: 'New mailbox' }).click()
    const form = page.getByRole('dialog', { name: 'New mailbox' })
    await form.getByLabel('E-mail address').fill('Support@Example.com')
    await form.getByRole('combobox', { name: 'Further addresses' }).fill('help@example.org')
    await form.getByLabel('Department').selectOption('Billing')
    await form.getByLabel('Name of the sender').fill('{{ operator.name')
    await photograph(page, 'mailbox-new')
    assert.deepEqual(await violationsOn(page), [])
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').first().waitFor()
    await form.getByLabel('Name of the sender').fill('{{ operator.name }} of Example')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'support@example.com' }).waitFor()
    const { id, ...box } = await only(world, '/v1/mailboxes')
    assert.deepEqual([box.aliases, box.department_id], [['help@example.org'], department])
    await said(page, `support@example.com  ${id}@backline.internal`)
    await said(page, 'example.org.  IN MX 10')
    await photograph(page, 'mailbox-way-in')
    await page.getByRole('tab', { name: 'Provider' }).click()
    await said(page, `/v1/inbound_emails?mailbox_id=${id}`)
    await page.getByRole('tab', { name: 'IMAP account' }).click()
    await said(page, `backline mail fetch --mailbox ${id}`)
    assert.deepEqual(await violationsOn(page), [])
  })

  test('a test mail shows what was seen of its sender, and the server that checked it is trusted by a button', async () => {
    const world = await api.world()
    const box = await mailbox(world.test)
    const { page } = await opened(world, `mailboxes/${box.id}`)
    await said(page, 'No mail has come to this mailbox yet.')
    await page.getByRole('button', { name: 'Wait for a mail' }).click()
    await said(page, 'Waiting for a mail…')
    await arrive(world.test, { to: box.address, top: [reported], subject: 'First test' })
    await said(page, 'mx.example.com has checked the sender, but this mailbox does not trust it')
    await said(page, 'spf=pass; dkim=pass; dmarc=pass')
    await photograph(page, 'mailbox-test-in')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('button', { name: 'Trust mx.example.com' }).click()
    await said(page, 'mx.example.com is trusted from now on')
    const { trusted_authserv_ids } = succeeded(await world.test.get(`/v1/mailboxes/${box.id}`))
    assert.deepEqual(trusted_authserv_ids, ['mx.example.com'])
    await page.getByRole('button', { name: 'Wait for a mail' }).click()
    await page.getByText('First test').waitFor({ state: 'detached' })
    await arrive(world.test, { to: box.address, top: [reported], subject: 'Second test' })
    await said(page, 'Second test')
    await said(page, 'Your mail server confirms that the mail is from this address.')
    assert.equal(await page.getByText('pass', { exact: true }).count(), 3)
  })

  test('a relay is set up, its password is never shown, and a test mail shows its answer', async (t) => {
    let isRefused = true
    const refusal = () => (isRefused ? '535 5.7.8 Wrong password' : '235 fine')
    const relay = await smtpRelay(t, { extensions: ['AUTH PLAIN'], answers: { AUTH: refusal } })
    const world = await api.world()
    const box = await mailbox(world.test)
    const { page } = await opened(world, `mailboxes/${box.id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: box.address, exact: true })
    await form.getByLabel('Backline, through a relay').check()
    await form.getByLabel('Encryption').selectOption('None')
    await form.getByLabel('Host').fill('127.0.0.1')
    await form.getByRole('spinbutton', { name: 'Port' }).fill(String(relay.port))
    await form.getByLabel('User name').fill('support')
    await form.getByLabel('Password').fill('secret-1')
    await photograph(page, 'mailbox-form')
    assert.deepEqual(await violationsOn(page), [])
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await said(page, 'Test mail out is missing')
    await page.getByRole('button', { name: 'Send the test mail' }).click()
    await said(page, 'The relay refused the user name or the password.')
    await said(page, '535 5.7.8 Wrong password')
    await photograph(page, 'mailbox-test-out')
    isRefused = false
    await page.getByRole('button', { name: 'Send the test mail' }).click()
    await said(page, 'The relay has taken the mail.')
    await said(page, 'Enabled')
    assert.match(relay.contents[0]!, /To: .*ada\.admin@example\.com/i)

    await page.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await form.getByLabel('Password').inputValue(), '')
    await form.getByLabel('Mails per minute').fill('30')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const { smtp, rate_per_minute, verified_at } = succeeded(await world.test.get(`/v1/mailboxes/${box.id}`))
    assert.deepEqual([smtp.password, rate_per_minute], ['***', 30])
    assert.notEqual(verified_at, null)
  })

  test('sending is paused and resumed; an archived mailbox says that it takes nothing', async () => {
    const world = await api.world()
    const box = await mailbox(world.test)
    const { page } = await opened(world, `mailboxes/${box.id}`)
    await page.getByRole('button', { name: 'Pause sending' }).click()
    await said(page, 'Sending is paused')
    await page.getByRole('button', { name: 'Resume sending' }).click()
    await page.getByText('Sending is paused').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mailboxes' }).waitFor()
    await page.getByLabel('Show archived').check()
    await page.getByRole('link', { name: box.address }).click()
    await said(page, 'This mailbox is archived')
  })

  test('mails that failed come first, with the reason, and are processed again for a mailbox', async () => {
    const world = await api.world()
    succeeded(await deliver(world.test, mail({ to: 'nobody@example.com', subject: 'Lost' })))
    const box = await mailbox(world.test)
    await arrive(world.test, { to: box.address, subject: 'Fine' })
    const { page } = await opened(world, 'inbound_emails')
    await said(page, 'It is addressed to no mailbox.')
    assert.equal(await page.getByText('Fine').count(), 0)
    await photograph(page, 'inbound-emails')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('link', { name: /Lost/ }).click()
    const panel = page.getByRole('dialog', { name: 'Lost' })
    await panel.getByLabel('For the mailbox').selectOption(box.address)
    await photograph(page, 'inbound-email')
    assert.deepEqual(await violationsOn(page), [])
    await panel.getByRole('button', { name: 'Process again' }).click()
    await panel.getByText('Began a conversation').waitFor()
    const download = page.waitForEvent('download')
    await panel.getByRole('button', { name: 'Download as it came' }).click()
    assert.match((await download).suggestedFilename(), /\.eml$/)
    await panel.getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByRole('log').getByText('My card was declined twice.').waitFor()
    await page.goBack()
    await page.keyboard.press('Escape')
    await page.getByLabel('Status', { exact: true }).selectOption('All')
    await page.getByRole('link', { name: /Fine/ }).waitFor()
  })

  test('an address is suppressed, found, and allowed again', async () => {
    const world = await api.world()
    succeeded(await world.test.post('/v1/email_suppressions', { address: 'other@example.com' }))
    const { page } = await opened(world, 'email_suppressions')
    await page.getByRole('button', { name: 'Suppress an address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suppress an address' })
    await dialog.getByLabel('E-mail address').fill('ada@example.net')
    await dialog.getByRole('button', { name: 'Suppress an address' }).click()
    await said(page, 'ada@example.net is suppressed')
    await page.getByRole('searchbox', { name: 'Find a whole address' }).fill('ada@example.net')
    await page.getByText('other@example.com').waitFor({ state: 'detached' })
    await photograph(page, 'suppressions')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('button', { name: 'Allow again: ada@example.net' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).click()
    await said(page, 'This address is not suppressed')
    const left = await only(world, '/v1/email_suppressions')
    assert.equal(left.address, 'other@example.com')
  })

  test('a lead reads mailboxes and changes none', async () => {
    const world = await api.world()
    const box = await mailbox(world.test)
    const { page } = await opened(world, 'mailboxes', 'lead')
    await page.getByRole('link', { name: box.address }).click()
    await page.getByRole('heading', { level: 1, name: box.address }).waitFor()
    await said(page, '1. Let mail come in')
    for (const name of ['Edit', 'Pause sending', 'More actions', 'Change'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.getByRole('link', { name: 'Suppressed addresses' }).click()
    await said(page, 'No address is suppressed')
    assert.equal(await page.getByRole('button', { name: 'Suppress an address' }).count(), 0)
  })

  test('German, dark and narrow pages show the set-up as well', async () => {
    const world = await api.world()
    const smtp = { host: 'smtp.example.com', port: 465, security: 'tls', username: 'u', password: 'p' }
    const box = await mailbox(world.test, { outbound: 'smtp', smtp, aliases: ['help@example.org'] })
    await arrive(world.test, { to: box.address, top: [reported] })
    succeeded(await deliver(world.test, mail({ to: 'nobody@example.com', subject: 'Lost' })))
    const looks: [string, BrowserContextOptions][] = [
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 390, height: 844 } }],
      ['german', { locale: 'de-DE' }],
    ]
    for (const [look, options] of looks) {
      const { page } = await signInAs(api, world, { name: `Grace ${look}`, role: 'admin' }, options)
      const paths = [
        ['mailboxes', box.address],
        [`mailboxes/${box.id}`, /mx\.example\.com/],
        ['inbound_emails', 'Lost'],
      ] as const
      for (const [i, [path, text]] of paths.entries()) {
        await page.goto(`${api.url}/console/test/setup/${path}`)
        await said(page, text)
        await page.screenshot({
          path: `${import.meta.dirname}/screenshots/mail-${i}-${look}.png`,
          fullPage: true,
        })
        assert.deepEqual(await violationsOn(page), [], `${look} ${path}`)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, path)
      }
    }
    await until('all mails are processed', async () => {
      const { data } = succeeded(await world.test.get('/v1/inbound_emails?status=received'))
      return data.length === 0
    })
  })
})
