import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, startServer } from './server.ts'
import { describeMachine, formatNumber, printTable } from './table.ts'

/*
 * Mails that arrive: `npm run bench -- --mails`. Each is 10 kB of text by one of 1,000 people to one of four mailboxes,
 * and begins a conversation. The same connections first hand over mails that are not measured.
 */

const connections = 16
const warmUp = 300

type Send = (mail: string, mailbox: string) => Promise<void>
type Way = { open(): Promise<{ send: Send; close(): void }> }

/** @param count of mails, by each way in */
export async function measureMails(count: number): Promise<void> {
  const lmtpPort = await freePort()
  process.env.BACKLINE_MAIL_LISTEN = `lmtp://127.0.0.1:${lmtpPort}`
  process.env.BACKLINE_MAIL_PER_ADDRESS_PER_HOUR = '0'
  const server = await startServer()
  const client = new pg.Client(server.connection)
  await client.connect()
  const post = (path: string, body: string, type: string) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.testKey}`,
        'content-type': type,
        'idempotency-key': randomUUID(),
      },
      body,
    })
  const ways: Record<string, Way> = {
    'POST /v1/inbound_emails': {
      open: async () => ({
        async send(mail, mailbox) {
          const { status } = await post(
            `/v1/inbound_emails?rcpt_to=${mailbox}&mail_from=a@example.net`,
            mail,
            'message/rfc822',
          )
          if (status !== 202) throw new Error(`A mail was answered with ${status}`)
        },
        close: () => undefined,
      }),
    },
    LMTP: { open: () => openLmtp(lmtpPort) },
  }
  try {
    console.log(`${describeMachine()}\n`)
    for (const mailbox of mailboxes)
      await post('/v1/mailboxes', JSON.stringify({ address: mailbox }), 'application/json')
    const rows: string[][] = []
    for (const [name, way] of Object.entries(ways)) {
      await deliver(client, way, warmUp)
      const before = await server.usage(client)
      const { takenMs, processedMs } = await deliver(client, way, count)
      await sleep(1_000) // the audit log is sealed
      const after = await server.usage(client)
      const perMail = (part: 'serverSeconds' | 'postgresSeconds') =>
        (((after[part] - before[part]) * 1000) / count).toFixed(2)
      const perSecond = (ms: number) => formatNumber(Math.round((count / ms) * 1000))
      rows.push([
        name,
        perSecond(takenMs),
        perSecond(processedMs),
        perMail('serverSeconds'),
        perMail('postgresSeconds'),
      ])
    }
    printTable(['mails of 10 kB', 'taken/s', 'processed/s', 'server ms', 'PostgreSQL ms'], rows)
  } finally {
    await client.end()
    await server.stop()
  }
}

const mailboxes = [1, 2, 3, 4].map((number) => `desk-${number}@example.com`)
const line = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod.'
const run = randomUUID()
let sent = 0

function nextMail(): { mail: string; mailbox: string } {
  const number = sent++
  const mailbox = mailboxes[number % mailboxes.length]!
  const headers = [
    'Received: from a.example by mx.example.com; Fri, 20 Nov 2026 09:29:58 +0000',
    `From: Person ${number % 1000} <p${number % 1000}@example.net>`,
    `To: ${mailbox}`,
    `Subject: Mail ${number}`,
    `Message-ID: <${run}.${number}@example.net>`,
    'Date: Fri, 20 Nov 2026 09:29:58 +0000',
  ]
  const body = Array.from({ length: 125 }, () => `${number} ${line}`)
  return { mail: `${[...headers, '', ...body].join('\r\n')}\r\n`, mailbox }
}

/** Delivers mails, and waits until they are processed. */
async function deliver(client: pg.Client, way: Way, count: number) {
  const beganMs = performance.now()
  let left = count
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const { send, close } = await way.open()
      while (left-- > 0) {
        const { mail, mailbox } = nextMail()
        await send(mail, mailbox)
      }
      close()
    }),
  )
  const takenMs = performance.now() - beganMs
  const isWaiting = "select 1 from inbound_emails where status = 'received' limit 1"
  while ((await client.query(isWaiting)).rows.length > 0) await sleep(50)
  return { takenMs, processedMs: performance.now() - beganMs }
}

async function openLmtp(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const expect = async (code: string) => {
    for (;;) {
      const { value = '' } = await lines.next()
      if (!value.startsWith(code)) throw new Error(`The listener answered ${value}`)
      if (value[3] === ' ') return
    }
  }
  await expect('220')
  socket.write('LHLO bench\r\n')
  await expect('250')
  return {
    async send(mail: string, mailbox: string) {
      socket.write(`MAIL FROM:<a@example.net>\r\nRCPT TO:<${mailbox}>\r\nDATA\r\n`)
      for (const code of ['250', '250', '354']) await expect(code)
      socket.write(`${mail}.\r\n`)
      await expect('250')
    },
    close: () => void socket.destroy(),
  }
}
