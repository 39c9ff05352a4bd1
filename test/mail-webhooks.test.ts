import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from './desk.ts'
import { service, type World } from './harness.ts'
import { dmarcPass, mail, mailbox } from './mails.ts'
import { cleanUp, freePort, launch, repository, temporaryDirectory, until } from './processes.ts'

/* The programs in docs/mail.md that pass mails of providers on, as they are written there. */

const guide = readFileSync(join(repository, 'docs/mail.md'), 'utf8')
const programs = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text!)
const programWith = (text: string) =>
  programs.find((program) => program.includes(text)) ??
  assert.fail(`docs/mail.md has no program with ${text}`)

describe('programs for the webhooks of providers', { concurrency: 1 }, () => {
  const api = service()
  let world: World
  let desk: Body
  let settings: Record<string, string>
  let url: string

  before(async () => {
    world = await api.world()
    desk = await mailbox(world.test)
    settings = { BACKLINE_URL: api.url, BACKLINE_API_KEY: world.test.key, BACKLINE_MAILBOX: desk.id }
    const port = await freePort()
    const file = join(temporaryDirectory(), 'webhook.mjs') // not before: other files of the process clean up
    writeFileSync(file, programWith('HOOK_TOKEN'))
    launch({
      command: [process.execPath, file],
      environment: { ...settings, HOOK_TOKEN: 'sesame', PORT: String(port) },
    })
    url = `http://127.0.0.1:${port}/mime`
    await until('it listens', () => fetch(url).then(Boolean, () => false))
  })
  after(cleanUp)

  const post = async (body: string | FormData | URLSearchParams, token = 'sesame', headers = {}) =>
    (await fetch(`${url}?token=${token}`, { method: 'POST', body, headers })).status

  const form = <Form extends FormData | URLSearchParams>(to: Form, fields: Record<string, string>): Form => {
    for (const [name, value] of Object.entries(fields)) to.append(name, value)
    return to
  }

  const envelope = JSON.stringify({ from: 'bounce@example.net', to: ['support@example.com'] })
  const mailgun = { sender: 'bounce@example.net', recipient: 'support@example.com' }
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const providers: [name: string, send: (raw: string) => Promise<unknown>, mailFrom: string | null][] = [
    [
      'Postmark',
      (RawEmail) =>
        post(JSON.stringify({ RawEmail, OriginalRecipient: 'support@example.com' }), 'sesame', json),
      null,
    ],
    ['SendGrid', (email) => post(form(new FormData(), { email, envelope })), 'bounce@example.net'],
    [
      'Mailgun, a form',
      (raw) => post(form(new URLSearchParams(), { ...mailgun, 'body-mime': raw })),
      'bounce@example.net',
    ],
    [
      'Mailgun, a multipart form',
      (raw) => post(form(new FormData(), { ...mailgun, 'body-mime': raw })),
      'bounce@example.net',
    ],
    [
      'Cloudflare',
      async (raw) => {
        const file = join(temporaryDirectory(), 'worker.mjs')
        writeFileSync(file, programWith('message.raw'))
        const { default: worker } = await import(file)
        const message = {
          raw: new Blob([raw]).stream(),
          from: 'bounce@example.net',
          to: 'support@example.com',
        }
        await worker.email(message, settings)
        return 200
      },
      'bounce@example.net',
    ],
  ]
  for (const [name, send, mailFrom] of providers)
    test(`${name}: a mail arrives as it came, and a repetition makes no other`, async () => {
      const raw = mail({ subject: name, top: [dmarcPass('example.net')], body: 'Grüße 🔑' })
      assert.equal(await send(raw), 200)
      assert.equal(await send(raw), 200)
      const { data } = succeeded(await world.test.get('/v1/inbound_emails'))
      const [email, ...others] = data.filter(({ subject }: Body) => subject === name)
      assert.deepEqual(others, [])
      assert.deepEqual([email.mailbox_id, email.mail_from], [desk.id, mailFrom])
      assert.equal((await world.test.get(`/v1/inbound_emails/${email.id}/raw`)).text, raw)
    })

  test('without the token nothing is passed on, and a refusal is an error that providers repeat', async () => {
    const fields = { email: mail({ subject: 'Forged' }), envelope }
    assert.equal(await post(form(new FormData(), fields), 'guessed'), 401)
    assert.equal(await post(form(new FormData(), { ...fields, email: '' })), 502)
    const { data } = succeeded(await world.test.get('/v1/inbound_emails'))
    assert.equal(data.filter(({ subject }: Body) => subject === 'Forged').length, 0)
  })
})
