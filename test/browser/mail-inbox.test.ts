import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Body, operator, say, shown, succeeded } from '../desk.ts'
import { service, type World } from '../harness.ts'
import { arrive, dmarcPass, mailbox } from '../mails.ts'
import { until } from '../processes.ts'
import { canBrowse, photograph, violationsOn } from './console.ts'
import { atConversation, atDesk, command, composer, details, ready, thread } from './inbox.ts'

const api = service({ works: true })

const html = [
  '<div style="color: rgb(1, 2, 3)" onclick="fetch(1)">My card was declined <b>twice</b>.</div>',
  '<img src="https://tracker.example.net/p.gif" alt="pixel"><script>parent.document.title = "x"</script>',
  '<p><a href="https://shop.example.net/">The shop</a></p>',
  '<div class="gmail_quote"><div>On Fri, 20 Nov 2026 Acme wrote:<br></div>',
  '<blockquote class="gmail_quote">How can we help?</blockquote></div>',
].join('')

/** A conversation that a mail began, with the mailbox that it came to. */
async function begun(world: World, fields: object = {}, mail: object = {}) {
  const box = await mailbox(world.test, fields)
  const email = await arrive(world.test, {
    to: box.address,
    headers: ['Cc: Bob <bob@example.org>', 'MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'],
    body: html,
    ...mail,
  })
  return { box, email, id: email.conversation_id as string }
}

const opened = (world: World, id: string, options?: BrowserContextOptions) =>
  atConversation(api, world, id, 'Ada Lovelace', options)

const latest = async (world: World, id: string): Promise<Body> =>
  succeeded(await world.test.get(`/v1/conversations/${id}/messages?sort=-sequence&limit=1`)).data[0]

const recipients = (page: Page) => page.getByRole('button', { name: /^(To|Nobody|An|Hier) / })

/** Adds an address to a field of the mail. */
async function address(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(text)
  await page.getByRole('combobox', { name: field, exact: true }).press('Enter')
}

describe('mail in the inbox', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('a mail shows from whom it is, that nobody verified it, and the quoted text on demand', async () => {
    const world = await api.world()
    const { box, id } = await begun(world)
    const { page } = await opened(world, id)
    const line = thread(page).getByText(`ada@example.net · to ${box.address} · cc bob@example.org`)
    await line.waitFor()
    await thread(page).getByText('Not verified').first().waitFor()
    assert.equal(await thread(page).getByText('How can we help?').isVisible(), false)
    await thread(page).getByText('Quoted text').click()
    await thread(page).getByText('How can we help?').waitFor()
    await line.click()
    for (const text of [
      'Ada Lovelace <ada@example.net>',
      'Card declined',
      'No mail server that the mailbox trusts has checked the sender.',
    ])
      await thread(page).getByText(text).first().waitFor()
    await photograph(page, 'mail-thread')
    assert.deepEqual(await violationsOn(page), [])
  })

  test('the original is shown in a frame that runs no script, loads nothing, and keeps its colours', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const { page, context } = await opened(world, id)
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    await thread(page).getByText('to support').first().click()
    await thread(page).getByRole('button', { name: 'Show the original' }).click()
    const frame = page.frameLocator('iframe[title="The original mail"]')
    const words = frame.getByText('My card was declined')
    await words.waitFor()
    await until('its styles are set', async () =>
      /rgb\(1, 2, 3\)/.test((await words.getAttribute('style')) ?? ''),
    )
    await frame.getByText('How can we help?').waitFor()
    const sandbox = await page.locator('iframe').getAttribute('sandbox')
    assert.doesNotMatch(sandbox!, /allow-scripts|allow-forms|allow-top/)
    assert.equal(await frame.locator('script, [onclick]').count(), 0)
    await photograph(page, 'mail-original')
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.getByText('Content-Type').waitFor()
    await page.keyboard.press('Escape')
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(api.url)),
      [],
    )
    const download = page.waitForEvent('download')
    await thread(page).getByRole('button', { name: 'Download as it came' }).click()
    assert.match((await download).suggestedFilename(), /^eml_.*\.eml$/)
  })

  test('the original shows the images that came with the mail', async () => {
    const world = await api.world()
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const body = [
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p style="width: 90%">See <img src="cid:shot@example.net" alt="the screenshot"></p>',
      '--b',
      'Content-Type: image/png; name="shot.png"',
      'Content-ID: <shot@example.net>',
      'Content-Transfer-Encoding: base64',
      '',
      pixel,
      '--b--',
    ].join('\r\n')
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=b']
    const { id } = await begun(world, {}, { headers, body })
    const { page } = await opened(world, id)
    await thread(page).getByText('to support').first().click()
    await thread(page).getByRole('button', { name: 'Show the original' }).click()
    const image = page.frameLocator('iframe').getByRole('img', { name: 'the screenshot' })
    await until('the image is there', async () => /^blob:/.test((await image.getAttribute('src')) ?? ''))
    await until('the image is drawn', () =>
      image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth === 1),
    )
  })

  test('an answer goes to the sender unless somebody else is named, with another subject', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const { page } = await opened(world, id)
    await page.getByRole('button', { name: 'To ada@example.net' }).waitFor()
    await composer(page).fill('Let me check.')
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await latest(world, id)).body === 'Let me check.')
    const first = await latest(world, id)
    assert.deepEqual(
      [first.email.to.map((each: Body) => each.address), first.email.subject],
      [['ada@example.net'], 'Re: Card declined'],
    )
    await recipients(page).click()
    await page.getByRole('button', { name: 'Remove ada@example.net' }).click()
    await address(page, 'To', 'Carol@Example.org')
    await address(page, 'Cc', 'dave@example.org')
    await address(page, 'Bcc', 'nobody')
    await page.getByText('nobody is not an address.').waitFor()
    await composer(page).fill('Please look.')
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled(), false)
    await page.getByRole('button', { name: 'Remove nobody' }).click()
    await address(page, 'Bcc', 'eve@example.org')
    await page.getByLabel('Subject').fill('Your card')
    await photograph(page, 'mail-composer')
    assert.deepEqual(await violationsOn(page), [])
    await page.reload()
    await ready(page)
    await page.getByRole('button', { name: 'To carol@example.org' }).waitFor()
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await latest(world, id)).body === 'Please look.')
    const { email } = await latest(world, id)
    const addressesOf = (list: Body) => list.map((each: Body) => each.address)
    assert.deepEqual(
      [addressesOf(email.to), addressesOf(email.cc), addressesOf(email.bcc), email.subject],
      [['carol@example.org'], ['dave@example.org'], ['eve@example.org'], 'Your card'],
    )
    await thread(page).getByText('Your card').first().waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    assert.equal(await recipients(page).count(), 0)
  })

  test('an answer that could not be sent keeps its recipients', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const { page } = await opened(world, id)
    await command(page, 'Recipients and subject')
    await address(page, 'Bcc', 'eve@example.org')
    await page.route('**/v1/conversations/*/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: 'about:blank',
              title: 'No',
              status: 422,
              code: 'validation_failed',
              detail: 'Not now.',
              params: {},
              errors: [],
            }),
          })
        : route.continue(),
    )
    await composer(page).fill('Let me check.')
    await composer(page).press('Control+Enter')
    await thread(page).getByText('Not now.').waitFor()
    await thread(page).getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'To ada@example.net · Bcc eve@example.org' }).waitFor()
    await page.unrouteAll()
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await latest(world, id)).body === 'Let me check.')
    assert.equal((await latest(world, id)).email.bcc[0].address, 'eve@example.org')
  })

  test('an answer that is sent later goes to the recipients that were chosen', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const { page } = await opened(world, id)
    await recipients(page).click()
    await address(page, 'Bcc', 'eve@example.org')
    await composer(page).fill('Any news?')
    await page.getByRole('button', { name: 'More ways to send' }).click()
    await page.getByRole('menuitem', { name: /Send later/ }).click()
    await page.getByRole('button', { name: 'In 1 h' }).click()
    await page.getByRole('button', { name: 'Schedule' }).click()
    await thread(page).getByText('Will be sent').waitFor()
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 3_600 }))
    await until('it is sent', async () => (await latest(world, id)).body === 'Any news?')
    assert.equal((await latest(world, id)).email.bcc[0].address, 'eve@example.org')
  })

  test('deliveries are followed by recipient, told in words, and sent again', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const operatorId = await operator(world.test, { name: 'Grace Hopper' })
    const email = { to: ['ada@example.net', 'bob@example.org'] }
    const message = await say(world.test, id, 'operator', { operator_id: operatorId, email })
    const { page } = await opened(world, id)
    await thread(page).getByText('Waiting to be sent').first().waitFor()
    const path = `/v1/messages/${message.id}/delivery`
    succeeded(await world.test.post(path, { status: 'sent', recipient: 'ada@example.net' }))
    const failure = { status: 'failed', recipient: 'bob@example.org', reason: 'refused', smtp_code: '5.1.1' }
    succeeded(await world.test.post(path, failure))
    await thread(page).getByText('bob@example.org – Not sent: the other server refused it · 5.1.1').waitFor()
    await thread(page).getByText('ada@example.net – Sent').waitFor()
    await photograph(page, 'mail-delivery')
    assert.deepEqual(await violationsOn(page), [])
    await thread(page).getByRole('button', { name: 'Send again' }).click()
    await thread(page).getByText('Waiting to be sent').first().waitFor()
    const { delivery } = succeeded(await world.test.get(`/v1/messages/${message.id}`))
    assert.deepEqual(
      delivery.recipients.map((each: Body) => each.status),
      ['sent', 'queued'],
    )
  })

  test('whoever mailed in unasked is not confirmed, until somebody confirms them', async () => {
    const world = await api.world()
    const { box, email, id } = await begun(world, {}, { headers: [] })
    const answers = [`In-Reply-To: ${email.header_message_id}`]
    const stranger = 'Mallory <mallory@example.org>'
    await arrive(world.test, { to: box.address, from: stranger, headers: answers })
    const { page } = await opened(world, id)
    const side = details(page).getByRole('region', { name: /Participants/ })
    await side.getByText('Not confirmed', { exact: true }).waitFor()
    await side.getByText('mallory@example.org').first().waitFor()
    await photograph(page, 'mail-participants')
    await side.getByRole('button', { name: /^Confirm / }).click()
    await side.getByText('Not confirmed', { exact: true }).waitFor({ state: 'detached' })
    const { participants } = await shown(world.test, id)
    assert.equal(participants[0].confirmed, true)
    await page.getByRole('button', { name: 'To ada@example.net · Cc mallory@example.org' }).waitFor()
  })

  test('who gets no mail is named before it is sent; the mailbox of a conversation can be changed', async () => {
    const world = await api.world()
    const { id } = await begun(world)
    const other = await mailbox(world.test)
    succeeded(await world.test.post('/v1/email_suppressions', { address: 'ada@example.net' }))
    const { page } = await opened(world, id)
    await composer(page).fill('Hello')
    await page.getByText('ada@example.net is suppressed, and gets no mail.').waitFor()
    await details(page).getByLabel('Mailbox').selectOption(other.address)
    await until('it is changed', async () => (await shown(world.test, id)).mailbox_id === other.id)
    await details(page).getByLabel('Mailbox').selectOption('–')
    await recipients(page).waitFor({ state: 'detached' })
  })

  test('German, dark and narrow pages show mail as well', async () => {
    const world = await api.world()
    const { box, id } = await begun(world, { trusted_authserv_ids: ['mx.example.com'] })
    const operatorId = await operator(world.test, { name: 'Grace Hopper' })
    const message = await say(world.test, id, 'operator', {
      operator_id: operatorId,
      email: { to: ['ada@example.net', 'someone.with.a.very.long.address@subdomain.example.org'] },
    })
    const failure = { status: 'bounced', recipient: 'ada@example.net', reason: '550 5.1.1 No such user' }
    succeeded(await world.test.post(`/v1/messages/${message.id}/delivery`, failure))
    const looks: [string, BrowserContextOptions][] = [
      ['dark', { colorScheme: 'dark' }],
      ['narrow', { viewport: { width: 390, height: 844 } }],
      ['german', { locale: 'de-DE' }],
    ]
    const proof = [dmarcPass('example.net')]
    await arrive(world.test, { to: box.address, top: proof, subject: 'Another one' })
    for (const [look, options] of looks) {
      const { page } = await atDesk(api, world, `open/${id}`, `Ada ${look}`, options)
      await thread(page).getByText('550 5.1.1 No such user').waitFor()
      await thread(page).getByText('ada@example.net').first().click()
      await composer(page).click() // a narrow page shows the recipients once somebody writes
      await recipients(page).click()
      await photograph(page, `mail-thread-${look}`)
      assert.deepEqual(await violationsOn(page), [], look)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, look)
    }
  })
})
