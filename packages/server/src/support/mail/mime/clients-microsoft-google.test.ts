import { base64, file, fromAda, html, mail, multipart, plain, testShapes } from '@backline/test/mime-mails.ts'

/* Mails as the programs of Microsoft and Google write them. */

const pdf = '%PDF-1.7'
const png = '\x89PNG'
const image = (id: string, name: string) =>
  file(
    `image/png; name="${name}"`,
    Buffer.from(png, 'latin1'),
    `Content-ID: <${id}>\nContent-Disposition: inline; filename="${name}"`,
  )
const both = (headers: string) => multipart('alternative', [plain('Hello'), html('<p>Hello</p>')], headers)

testShapes({
  'Outlook, desktop: text, HTML and the image that it names': [
    multipart(
      'related; type="multipart/alternative"',
      [
        multipart('alternative', [
          mail(
            'Content-Type: text/plain;\n\tcharset="iso-8859-1"\nContent-Transfer-Encoding: quoted-printable',
            'Gr=FC=DFe\n\nAda\n',
          ),
          mail(
            'Content-Type: text/html;\n\tcharset="iso-8859-1"\nContent-Transfer-Encoding: quoted-printable',
            '<p class=3DMsoNormal>Gr=FC=DFe</p>',
          ),
        ]),
        image('image001.png@01DA.5A', 'image001.png'),
      ],
      `${fromAda}\nThread-Topic: Broken lamp\nThread-Index: AdpaWg==\nX-MS-Has-Attach: yes\nX-Mailer: Microsoft Outlook 16.0\nContent-Language: de-DE`,
    ),
    {
      text: 'Grüße\n\nAda\n',
      html: '<p class=MsoNormal>Grüße</p>',
      files: [`image001.png | image/png | inline | ${png}`],
      from: ['Ada Byron <ada@customer.example>'],
    },
  ],
  'Outlook, desktop: quoted names with a comma are one name': [
    both(
      'From: "Byron, Ada" <ada@customer.example>\nTo: "Help, Desk" <help@desk.example>; second@desk.example\nSubject: x',
    ),
    {
      from: ['Byron, Ada <ada@customer.example>'],
      to: ['Help, Desk <help@desk.example>', 'second@desk.example'],
    },
  ],
  'Outlook, desktop: a mail as an attachment is a file and not text': [
    multipart(
      'mixed',
      [
        plain('See below'),
        mail(
          'Content-Type: message/rfc822\nContent-Disposition: attachment',
          'From: x@y.example\nSubject: Inner\n\nInner text',
        ),
      ],
      fromAda,
    ),
    {
      text: 'See below',
      files: [
        'attachment-2.eml | message/rfc822 | attachment | From: x@y.example\r\nSubject: Inner\r\n\r\nInner text'.replace(
          '-2',
          '-1',
        ),
      ],
    },
  ],
  'Outlook, desktop: RTF as winmail.dat that cannot be read is attached as it is': [
    multipart(
      'mixed',
      [plain('Hello'), file('application/ms-tnef; name="winmail.dat"', 'not TNEF')],
      fromAda,
    ),
    {
      text: 'Hello',
      files: ['winmail.dat | application/ms-tnef | attachment | not TNEF'],
      warnings: ['tnef'],
    },
  ],
  'Outlook, desktop: names in single quotes lose them': [
    both("From: \"'ada@customer.example'\" <ada@customer.example>\nTo: 'Help' <help@desk.example>"),
    { from: ['ada@customer.example <ada@customer.example>'], to: ['Help <help@desk.example>'] },
  ],
  'Outlook on the web: alternatives with us-ascii text': [
    multipart(
      'alternative',
      [
        mail(
          'Content-Type: text/plain; charset="us-ascii"\nContent-Transfer-Encoding: quoted-printable',
          'Hello=20\n',
        ),
        html('<html><body><div>Hello</div></body></html>'),
      ],
      `${fromAda}\nMIME-Version: 1.0\nx-ms-exchange-messagesentrepresentingtype: 1`,
    ),
    { text: 'Hello \n', html: '<html><body><div>Hello</div></body></html>' },
  ],
  'Outlook on the web: references of folded lines, in order': [
    both(
      `${fromAda}\nMessage-ID:\n\t<AM0PR01.C@AM0PR01.prod.exchangelabs.com>\nIn-Reply-To: <b@desk.example>\nReferences: <a@desk.example>\n <b@desk.example>`,
    ),
    {
      messageId: '<AM0PR01.C@AM0PR01.prod.exchangelabs.com>',
      inReplyTo: ['<b@desk.example>'],
      references: ['<a@desk.example>', '<b@desk.example>'],
    },
  ],
  'Outlook on the web: references as an encoded word': [
    both(`${fromAda}\nReferences: =?utf-8?q?=3Ca=40desk=2Eexample=3E_=3Cb=40desk=2Eexample=3E?=`),
    { references: ['<a@desk.example>', '<b@desk.example>'] },
  ],
  'Outlook for iOS and Android: HTML with its charset in the header': [
    multipart(
      'alternative',
      [
        mail(
          'Content-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: base64',
          base64('Привет\n\nGet Outlook for iOS'),
        ),
        mail(
          'Content-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: base64',
          base64('<div>Привет</div>'),
        ),
      ],
      fromAda,
    ),
    { text: 'Привет\n\nGet Outlook for iOS', html: '<div>Привет</div>' },
  ],
  'Exchange: a meeting request is text and an ICS file': [
    multipart(
      'alternative',
      [
        plain('When: Monday'),
        html('<p>When: Monday</p>'),
        mail(
          'Content-Type: text/calendar; charset="utf-8"; method=REQUEST',
          'BEGIN:VCALENDAR\nEND:VCALENDAR',
        ),
      ],
      fromAda,
    ),
    {
      text: 'When: Monday',
      html: '<p>When: Monday</p>',
      files: ['attachment-1.ics | text/calendar | attachment | BEGIN:VCALENDAR\r\nEND:VCALENDAR'],
    },
  ],
  'Exchange: an automatic reply keeps its headers': [
    plain(
      'I am away',
      `${fromAda}\nAuto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nPrecedence: bulk`,
    ),
    {
      text: 'I am away',
      headers: [
        ['Content-Type', 'text/plain; charset=utf-8'],
        ['From', 'Ada Byron <ada@customer.example>'],
        ['To', 'help@desk.example'],
        ['Subject', 'Broken lamp'],
        ['Auto-Submitted', 'auto-generated'],
        ['X-Auto-Response-Suppress', 'All'],
        ['Precedence', 'bulk'],
      ].map(([name = '', value = '']) => ({ name, value })),
    },
  ],
  'Gmail, web: alternatives with format=flowed and delsp': [
    multipart(
      'alternative',
      [
        mail('Content-Type: text/plain; charset="UTF-8"; format=flowed; delsp=yes', 'A long li \nne\nNext'),
        html('<div dir="ltr">A long line<br>Next</div>'),
      ],
      fromAda,
    ),
    { text: 'A long line\nNext', html: '<div dir="ltr">A long line<br>Next</div>' },
  ],
  'Gmail, web: an attachment with an X-Attachment-Id': [
    multipart(
      'mixed',
      [
        both(''),
        file(
          'application/pdf; name="offer.pdf"',
          pdf,
          'Content-Disposition: attachment; filename="offer.pdf"\nX-Attachment-Id: f_lq1\nContent-ID: <f_lq1>',
        ),
      ],
      fromAda,
    ),
    { text: 'Hello', html: '<p>Hello</p>', files: [`offer.pdf | application/pdf | attachment | ${pdf}`] },
  ],
  'Gmail, web: an image in the HTML': [
    multipart(
      'related',
      [
        multipart('alternative', [plain('[image: cat.png]'), html('<img src="cid:ii_1">')]),
        image('ii_1', 'cat.png'),
      ],
      fromAda,
    ),
    {
      text: '[image: cat.png]',
      html: '<img src="cid:ii_1">',
      files: [`cat.png | image/png | inline | ${png}`],
    },
  ],
  'Gmail: the AMP version is left out': [
    multipart(
      'alternative',
      [
        plain('Hello'),
        mail('Content-Type: text/x-amp-html; charset=utf-8', '<html amp4email></html>'),
        html('<p>Hello</p>'),
      ],
      fromAda,
    ),
    { text: 'Hello', html: '<p>Hello</p>', files: [] },
  ],
  'Gmail, app: subject with an emoji in two encoded words': [
    both(
      'From: =?UTF-8?Q?Ada_=F0=9F=98=80?= <ada@customer.example>\nSubject: =?UTF-8?B?8J+YgA==?= =?UTF-8?Q?_lamp?=',
    ),
    { from: ['Ada 😀 <ada@customer.example>'], subject: '😀 lamp' },
  ],
  'Gmail, forwarded as an attachment: the contained mail is read': [
    multipart(
      'mixed',
      [
        plain('Forward'),
        mail(
          'Content-Type: message/rfc822; name="Lamp.eml"',
          multipart(
            'alternative',
            [plain('Inner'), html('<p>Inner</p>')],
            'From: Bo <bo@x.example>\nTo: ada@customer.example\nSubject: =?utf-8?q?L=C3=A4mp?=\nDate: Mon, 1 Jan 2024 10:00:00 +0100',
          ),
        ),
      ],
      fromAda,
    ),
    {
      text: 'Forward',
      files: ['Lamp.eml | message/rfc822 | attachment'],
      forwardedMessage: {
        from: [{ address: 'bo@x.example', name: 'Bo' }],
        to: [{ address: 'ada@customer.example', name: '' }],
        subject: 'Lämp',
        date: '2024-01-01T09:00:00.000Z',
        text: 'Inner',
        html: '<p>Inner</p>',
      },
    },
  ],
})
