import type { Mailbox } from '@backline/sdk'
import { domainOf } from '../../mail/addresses.ts'

/*
 * Texts for the files of others, with the values of a mailbox. Names below `.example` stand for something that only the
 * reader knows.
 */

/** The port of LMTP that the guides use. */
const listener = '127.0.0.1:2424'
/** A domain that no DNS knows: mail to it can only come from the mail server itself. */
const internal = 'backline.internal'

const domainsOf = ({ address, aliases }: Mailbox): string[] => [
  ...new Set([address, ...aliases].map(domainOf)),
]

export const mxRecords = (mailbox: Mailbox, host: string): string =>
  domainsOf(mailbox)
    .map((domain) => `${domain}.  IN MX 10 ${host}.`)
    .join('\n')

export const listenSettings = `BACKLINE_MAIL_LISTEN=lmtp://${listener}`

export const postfixFiles = ({ id, address, aliases }: Mailbox): string =>
  [
    '# /etc/postfix/main.cf',
    'recipient_delimiter = +',
    'virtual_alias_maps = hash:/etc/postfix/virtual',
    'transport_maps = hash:/etc/postfix/transport',
    '',
    '# /etc/postfix/virtual',
    ...[address, ...aliases].map((each) => `${each}  ${id}@${internal}`),
    '',
    '# /etc/postfix/transport',
    `${internal}  lmtp:inet:${listener}`,
  ].join('\n')

type Where = { url: string; environment: string }

/** An API key as the examples show it. */
const keyOf = ({ environment }: Where): string => `bkl_${environment}_…`

export const deliverRequest = ({ id }: Mailbox, where: Where): string =>
  [
    `curl -sS '${where.url}/v1/inbound_emails?mailbox_id=${id}' \\`,
    `  -H 'Authorization: Bearer ${keyOf(where)}' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -H 'Content-Type: message/rfc822' \\`,
    '  --data-binary @mail.eml',
  ].join('\n')

export const fetchCommand = ({ id, address }: Mailbox, where: Where): string =>
  [
    `BACKLINE_URL=${where.url} BACKLINE_API_KEY=${keyOf(where)} \\`,
    `backline mail fetch --mailbox ${id} \\`,
    `  --imap imaps://${encodeURIComponent(address)}@imap.${domainOf(address)}/INBOX \\`,
    '  --password-file /etc/backline/imap-password',
  ].join('\n')

/** The records by which others believe mail that goes out. */
export const senderRecords = ({ address }: Mailbox): string => {
  const domain = domainOf(address)
  return [
    `${domain}.  IN TXT "v=spf1 mx include:<SPF of the relay> ~all"`,
    `<selector>._domainkey.${domain}.  IN TXT "<DKIM key of the relay>"`,
    `_dmarc.${domain}.  IN TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@${domain}"`,
  ].join('\n')
}

export const reportRequest = (where: Where): string =>
  [
    `curl -sS '${where.url}/v1/messages/msg_…/delivery' \\`,
    `  -H 'Authorization: Bearer ${keyOf(where)}' \\`,
    `  -H "Idempotency-Key: $(uuidgen)" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"status": "sent"}'`,
  ].join('\n')

/** The server that a header `Authentication-Results` is of, and what it says; null if it names none. */
export function resultsIn(header: string): { server: string; results: string } | null {
  const end = header.indexOf(';')
  const server = /^\s*([A-Za-z0-9_-][A-Za-z0-9_.-]{0,253})(?:\s|$)/.exec(
    end < 0 ? header : header.slice(0, end),
  )?.[1]
  return server === undefined || end < 0 ? null : { server, results: header.slice(end + 1).trim() }
}
