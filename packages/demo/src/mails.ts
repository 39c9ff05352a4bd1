/* The mails of the demo. Their Message-IDs and dates are fixed, so that a second run finds them. */

/** A mail of a customer, and what follows. */
export type DemoMail = {
  /** The part of the `Message-ID` before the `@`. */
  id: string
  from: { name: string; address: string }
  subject: string
  /** True if the server that received the mail says that it comes from this domain. */
  isProven: boolean
  /** Further lines of the header, with the media type. */
  headers: string[]
  lines: string[]
  answer?: DemoAnswer
}

/** An operator's message, the reports of the mail server about it, and the mails that answer it. */
export type DemoAnswer = {
  operator: string
  body: string
  reports: { status: 'sent' | 'delivered' | 'bounced'; smtp_code: string; reason?: string }[]
  mails: DemoMail[]
}

const domain = 'fernhill.example'
/** The mail server whose results of authentication the mailbox trusts. */
const mailServer = `mx.${domain}`

export const mailbox = {
  address: `support@${domain}`,
  aliases: [`help@${domain}`],
  from_name: '{{ operator.name }} from Fernhill',
  signature: 'Fernhill, Rua das Flores 12, Porto',
  trusted_authserv_ids: [mailServer],
}

const plain = ['Content-Type: text/plain; charset=utf-8']
const noor = { name: 'Noor van Dijk', address: 'noor@vandijk.example' }
const answerToNoor =
  'Hello Noor,\n\nYou can find the invoices of the last two years under Settings, Billing. Which month is missing?\n\nBest regards\nMarta'

export const mails: DemoMail[] = [
  {
    id: 'invoice-1',
    from: noor,
    subject: 'The invoice of October is missing',
    isProven: true,
    headers: plain,
    lines: ['Hello,', '', 'I cannot find the invoice of October. Could you send it to me?', '', 'Noor'],
    answer: {
      operator: 'Marta Figueira',
      body: answerToNoor,
      reports: [
        { status: 'sent', smtp_code: '250' },
        { status: 'delivered', smtp_code: '2.0.0' },
      ],
      mails: [
        {
          id: 'invoice-2',
          from: noor,
          subject: 'Automatic reply: The invoice of October is missing',
          isProven: true,
          headers: ['Auto-Submitted: auto-replied', ...plain],
          lines: ['I am back on Monday.'],
        },
        {
          id: 'invoice-3',
          from: noor,
          subject: 'Re: The invoice of October is missing',
          isProven: true,
          headers: ['Content-Type: text/html; charset=utf-8'],
          lines: [
            '<p>Found it, <b>thank you</b>! Could it go to <i>accounts@vandijk.example</i> in future?</p>',
            '<div class="gmail_quote">',
            '<div class="gmail_attr">On Fri, 20 Nov 2026 at 10:02, Marta Figueira wrote:</div>',
            `<blockquote class="gmail_quote">${answerToNoor.replaceAll('\n', '<br>')}</blockquote>`,
            '</div>',
          ],
        },
      ],
    },
  },
  {
    id: 'export-1',
    from: { name: 'Jonas Weber', address: 'jonas@weber-werkstatt.example' },
    subject: 'The export stops after a few rows',
    isProven: true,
    headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="part"'],
    lines: [
      '--part',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'The export of my orders stops after the second row. The file is attached.',
      '--part',
      'Content-Type: text/csv; name="orders.csv"',
      'Content-Disposition: attachment; filename="orders.csv"',
      '',
      'order,total',
      '1041,38.50',
      '1042,12.00',
      '--part--',
    ],
  },
  {
    id: 'address-1',
    from: { name: 'Rui Tavares', address: 'rui@tavares.example' },
    subject: 'New address for my parcel',
    isProven: false,
    headers: plain,
    lines: ['Please send my parcel to Rua do Almada 7 in Porto instead.'],
    answer: {
      operator: 'Ingrid Solheim',
      body: 'Hello Rui,\n\nWhat is the number of your order?\n\nBest regards\nIngrid',
      reports: [
        { status: 'sent', smtp_code: '250' },
        { status: 'bounced', smtp_code: '5.1.1', reason: 'No mailbox here by that name' },
      ],
      mails: [],
    },
  },
]

/** The `Message-ID` of a mail, with its angle brackets. */
export const messageIdOf = ({ id, from }: DemoMail): string => `<${id}@${from.address.split('@')[1]}>`

/** The mail as a mail server delivers it. @param answered the `Message-ID` of the mail that it answers */
export function bytesOf(mail: DemoMail, answered: string | null): string {
  const { from, subject, isProven, headers, lines } = mail
  const proof = `dmarc=${isProven ? 'pass' : 'none'} header.from=${from.address.split('@')[1]}`
  const header = [
    `Authentication-Results: ${mailServer}; ${proof}`,
    `From: ${from.name} <${from.address}>`,
    `To: ${mailbox.address}`,
    `Subject: ${subject}`,
    `Message-ID: ${messageIdOf(mail)}`,
    'Date: Fri, 20 Nov 2026 09:29:58 +0000',
    ...(answered === null ? [] : [`In-Reply-To: ${answered}`]),
  ]
  return [...header, ...headers, '', ...lines, ''].join('\r\n')
}
