import { file, fromAda, mail, multipart, plain, testShapes } from '@backline/test/mime-mails.ts'

/* Delivery status notifications as the common servers write them, abuse reports, and automatic replies. */

const original =
  'From: help@desk.example\nTo: gone@customer.example\nMessage-ID: <m1@desk.example>\nSubject: Re: Lamp'
const copy = mail('Content-Type: message/rfc822', `${original}\n\nHello`)
const headersOfCopy = mail('Content-Type: text/rfc822-headers', original)
const status = (fields: string, type = 'message/delivery-status') =>
  mail(`Content-Type: ${type}`, `Reporting-MTA: dns; mx.example\n\n${fields}`)
const failed =
  'Final-Recipient: rfc822; gone@customer.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown'
const fromDaemon =
  'From: MAILER-DAEMON@mx.example\nTo: help@desk.example\nSubject: Undelivered Mail\nAuto-Submitted: auto-replied\nReturn-Path: <>'
const dsn = (parts: string[], headers = fromDaemon) =>
  multipart('report; report-type=delivery-status', parts, headers)
const recipient = {
  address: 'gone@customer.example',
  action: 'failed',
  status: '5.1.1',
  diagnostic: '550 5.1.1 User unknown',
}
const about = { originalMessageIds: ['<m1@desk.example>'], originalRecipients: ['gone@customer.example'] }

testShapes({
  'Postfix: a bounce with the copy of the mail': [
    dsn([
      plain('I am sorry'),
      status(
        `Original-Recipient: rfc822;gone@customer.example\n${failed}\nRemote-MTA: dns; mx.customer.example`,
      ),
      copy,
    ]),
    {
      text: 'I am sorry',
      returnPath: null,
      report: {
        kind: 'delivery',
        recipients: [{ ...recipient, originalAddress: 'gone@customer.example' }],
        ...about,
      },
    },
  ],
  'Postfix: a bounce with the headers of the mail alone': [
    dsn([plain('I am sorry'), status(failed), headersOfCopy]),
    { report: { kind: 'delivery', recipients: [recipient], ...about }, files: [] },
  ],
  'Postfix: a delay': [
    dsn([
      plain('Delayed'),
      status(
        'Final-Recipient: rfc822; a@b.example\nAction: delayed\nStatus: 4.4.1\nWill-Retry-Until: Mon, 1 Jan 2024 10:00:00 +0000',
      ),
      copy,
    ]),
    {
      report: {
        recipients: [{ address: 'a@b.example', action: 'delayed', status: '4.4.1', diagnostic: null }],
      },
    },
  ],
  'Postfix: a success to one recipient, a failure of another': [
    dsn([
      plain('x'),
      status(`Final-Recipient: rfc822; a@b.example\nAction: relayed\nStatus: 2.0.0\n\n${failed}`),
      copy,
    ]),
    { report: { recipients: [{ address: 'a@b.example', action: 'relayed' }, recipient] } },
  ],
  'Exim: a bounce without a report, by its header': [
    plain(
      'This message was created automatically',
      `${fromDaemon}\nX-Failed-Recipients: gone@customer.example\nReferences: <m1@desk.example>`,
    ),
    {
      report: {
        kind: 'delivery',
        recipients: [{ address: 'gone@customer.example', action: 'failed', status: null }],
        originalMessageIds: ['<m1@desk.example>'],
      },
    },
  ],
  'Exim: a report and the header name the recipient once': [
    dsn([plain('x'), status(failed), copy], `${fromDaemon}\nX-Failed-Recipients: gone@customer.example`),
    { report: { recipients: [recipient] } },
  ],
  'Gmail: a bounce with its header and several recipients': [
    plain(
      'Address not found',
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nX-Failed-Recipients: a@x.example, b@x.example\nIn-Reply-To: <m1@desk.example>',
    ),
    {
      report: {
        recipients: [{ address: 'a@x.example' }, { address: 'b@x.example' }],
        originalMessageIds: ['<m1@desk.example>'],
      },
    },
  ],
  'Gmail: a bounce with a folded diagnostic': [
    dsn([
      multipart('related', [plain('x')]),
      status(
        'Final-Recipient: rfc822; gone@customer.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550-5.1.1 The email account\n 550 5.1.1 does not exist',
      ),
      copy,
    ]),
    {
      report: {
        recipients: [{ ...recipient, diagnostic: '550-5.1.1 The email account 550 5.1.1 does not exist' }],
      },
    },
  ],
  'Exchange: a bounce with a remote diagnostic and HTML': [
    dsn([
      multipart('alternative', [plain('Delivery has failed')]),
      status(
        'Final-Recipient: rfc822;gone@customer.example\nAction: failed\nStatus: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found\nX-Display-Name: Gone',
      ),
      copy,
    ]),
    {
      report: {
        recipients: [
          { status: '5.1.10', diagnostic: '550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found' },
        ],
        ...about,
      },
    },
  ],
  'Amazon SES: a bounce with a code in parentheses': [
    dsn([
      plain('An error occurred'),
      status(
        'Final-Recipient: rfc822;gone@customer.example\nAction: failed\nStatus: 5.1.1 (bad destination)\nDiagnostic-Code: smtp; 550 5.1.1 User unknown',
      ),
      copy,
    ]),
    { report: { recipients: [recipient] } },
  ],
  'qmail: a plain bounce says nothing in headers and is no report': [
    plain('Hi. This is the qmail-send program', fromDaemon),
    { report: null, text: 'Hi. This is the qmail-send program' },
  ],
  'A report that is not in a multipart': [
    mail(
      `${fromDaemon}\nContent-Type: message/delivery-status\nIn-Reply-To: <m1@desk.example>`,
      `Reporting-MTA: dns; mx\n\n${failed}`,
    ),
    { report: { recipients: [recipient], originalMessageIds: ['<m1@desk.example>'] }, text: null },
  ],
  'A report in multipart/mixed': [
    multipart('mixed', [plain('x'), status(failed), copy], fromDaemon),
    { report: { recipients: [recipient], ...about } },
  ],
  'A report of type text/delivery-status': [
    dsn([plain('x'), status(failed, 'text/delivery-status'), copy]),
    { text: 'x', report: { recipients: [recipient] } },
  ],
  'A report as text': [
    dsn([plain('x'), status(failed, 'text/plain'), copy]),
    { report: { recipients: [recipient] } },
  ],
  'A report in Base64': [
    dsn([plain('x'), file('message/delivery-status', `Reporting-MTA: dns; mx\n\n${failed}`, ''), copy]),
    { report: { recipients: [recipient] } },
  ],
  'A report of addresses beyond ASCII': [
    dsn([
      plain('x'),
      status(
        'Final-Recipient: utf-8; müller@customer.example\nAction: failed\nStatus: 5.1.1',
        'message/global-delivery-status',
      ),
      mail('Content-Type: message/global', original),
    ]),
    { report: { recipients: [{ address: 'müller@customer.example' }], ...about } },
  ],
  'A report without an action: the status decides': [
    dsn([plain('x'), status('Final-Recipient: rfc822; a@b.example\nStatus: 4.2.2'), copy]),
    { report: { recipients: [{ action: 'delayed' }] } },
  ],
  'A report in capitals and with empty lines before it': [
    dsn([plain('x'), mail('Content-Type: MESSAGE/DELIVERY-STATUS', `\n\n\n${failed.toUpperCase()}`), copy]),
    { report: { recipients: [{ address: 'gone@customer.example', action: 'failed' }] } },
  ],
  'A report of an original recipient alone': [
    dsn([plain('x'), status('Original-Recipient: rfc822; a@b.example\nAction: failed'), copy]),
    { report: { recipients: [{ address: 'a@b.example', originalAddress: 'a@b.example', status: null }] } },
  ],
  'A report without recipients': [
    dsn([plain('x'), status('X: y'), copy]),
    { report: { kind: 'delivery', recipients: [], ...about } },
  ],
  'An abuse report names the recipient and the mail': [
    multipart(
      'report; report-type=feedback-report',
      [
        plain('Complaint'),
        mail(
          'Content-Type: message/feedback-report',
          'Feedback-Type: abuse\nUser-Agent: X/1\nVersion: 1\nOriginal-Rcpt-To: <ada@customer.example>',
        ),
        copy,
      ],
      fromDaemon,
    ),
    {
      report: {
        kind: 'abuse',
        feedbackType: 'abuse',
        originalMessageIds: ['<m1@desk.example>'],
        recipients: ['ada@customer.example'],
        originalRecipients: ['gone@customer.example'],
      },
      files: ['attachment-1.eml | message/rfc822'],
    },
  ],
  'A disposition notification names the mail': [
    multipart(
      'report; report-type=disposition-notification',
      [
        plain('Read'),
        mail(
          'Content-Type: message/disposition-notification',
          'Reporting-UA: X\nFinal-Recipient: rfc822;ada@customer.example\nOriginal-Message-ID: <m1@desk.example>\nDisposition: manual-action/MDN-sent-manually; displayed',
        ),
      ],
      fromAda,
    ),
    { text: 'Read', report: { kind: 'disposition', originalMessageIds: ['<m1@desk.example>'] } },
  ],
  'A disposition notification without a multipart': [
    mail(
      `${fromAda}\nContent-Type: message/disposition-notification`,
      'Original-Message-ID: <m1@desk.example>',
    ),
    { report: { kind: 'disposition', originalMessageIds: ['<m1@desk.example>'] } },
  ],
  'A vacation notice of Sieve is no report': [
    plain('Away', `${fromAda}\nAuto-Submitted: auto-replied (vacation)\nPrecedence: bulk`),
    { text: 'Away', report: null },
  ],
  'A vacation notice of Gmail is no report': [
    plain('Away', `${fromAda}\nX-Autoreply: yes\nPrecedence: bulk`),
    { report: null },
  ],
  'A forward is no report': [multipart('mixed', [plain('x'), copy], fromAda), { report: null }],
})
