import { base64, file, fromAda, html, mail, multipart, plain, testShapes } from '@backline/test/mime-mails.ts'

/* Mails as other programs and services write them. */

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
  'Apple Mail: text, image, text are one text, and the image a file': [
    multipart(
      'mixed',
      [plain('Before'), image('1@apple', 'IMG_1.png'), plain('After')],
      `${fromAda}\nX-Mailer: Apple Mail (2.3774)`,
    ),
    { text: 'Before\n\nAfter', html: null, files: [`IMG_1.png | image/png | inline | ${png}`] },
  ],
  'Apple Mail: HTML parts around a PDF are one HTML': [
    multipart(
      'alternative',
      [
        plain('Before After'),
        multipart('mixed', [
          html('<p>Before</p>'),
          file('application/pdf; name=a.pdf', pdf, 'Content-Disposition: inline; filename=a.pdf'),
          html('<p>After</p>'),
        ]),
      ],
      fromAda,
    ),
    {
      text: 'Before After',
      html: '<p>Before</p>\n\n<p>After</p>',
      files: [`a.pdf | application/pdf | inline | ${pdf}`],
    },
  ],
  'Apple Mail: a text file stays a file': [
    multipart(
      'mixed',
      [plain('See the log'), plain('line 1', 'Content-Disposition: inline; filename=log.txt')],
      fromAda,
    ),
    { text: 'See the log', files: ['log.txt | text/plain | inline | line 1'] },
  ],
  'Apple Mail: a file name in another normal form and with RFC 2231': [
    multipart(
      'mixed',
      [
        plain('x'),
        file(
          'application/pdf',
          pdf,
          "Content-Disposition: attachment; filename*=utf-8''Mu%CC%88ller%20%28neu%29.pdf",
        ),
      ],
      fromAda,
    ),
    { files: ['Mu\u0308ller (neu).pdf | application/pdf | attachment'] },
  ],
  'iOS Mail: text that ends with the signature of the phone': [
    mail(
      `${fromAda}\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\nMime-Version: 1.0 (1.0)`,
      'Yes\n\nSent from my iPhone\n\n> On 1 Jan 2024, at 10:00, Help wrote:\n> \n> Really?\n',
    ),
    { text: 'Yes\n\nSent from my iPhone\n\n> On 1 Jan 2024, at 10:00, Help wrote:\n> \n> Really?\n' },
  ],
  'iOS Mail: a photo first, then text': [
    multipart(
      'mixed',
      [
        file('image/jpeg; name=image0.jpeg', '\xff\xd8', 'Content-Disposition: inline; filename=image0.jpeg'),
        plain('\n\nThe lamp'),
      ],
      fromAda,
    ),
    { text: '\n\nThe lamp', files: ['image0.jpeg | image/jpeg | inline'] },
  ],
  'Thunderbird: format=flowed joins the lines of a paragraph': [
    mail(
      `${fromAda}\nContent-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit`,
      'One para \ngraph.\n\n> quoted \n> line\n Stuffed\n-- \nAda\n',
    ),
    { text: 'One para graph.\n\n> quoted line\nStuffed\n-- \nAda\n' },
  ],
  'Thunderbird: depths of quotation are not joined': [
    mail(`${fromAda}\nContent-Type: text/plain; format=flowed`, '>> inner \n> outer \nnone'),
    { text: '>> inner \n> outer \nnone' },
  ],
  'Thunderbird: an OpenPGP signature is a file': [
    multipart(
      'signed; micalg=pgp-sha256; protocol="application/pgp-signature"',
      [
        multipart('mixed', [plain('Signed')]),
        mail(
          'Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"',
          '-----BEGIN PGP SIGNATURE-----',
        ),
      ],
      fromAda,
    ),
    { text: 'Signed', files: ['OpenPGP_signature.asc | application/pgp-signature'] },
  ],
  'Thunderbird: an encrypted mail is attached': [
    multipart(
      'encrypted; protocol="application/pgp-encrypted"',
      [
        mail('Content-Type: application/pgp-encrypted', 'Version: 1'),
        mail('Content-Type: application/octet-stream; name="encrypted.asc"', '-----BEGIN PGP MESSAGE-----'),
      ],
      fromAda,
    ),
    {
      text: null,
      html: null,
      files: ['attachment-1.asc | application/pgp-encrypted', 'encrypted.asc | application/octet-stream'],
      warnings: ['encrypted'],
    },
  ],
  'Thunderbird: a long file name in continued parameters': [
    multipart(
      'mixed',
      [
        plain('x'),
        file("application/pdf;\n name*0*=utf-8''%C3%84;\n name*1=ngstr;\n name*2*=%C3%B6m.pdf", pdf),
      ],
      fromAda,
    ),
    { files: ['Ängström.pdf | application/pdf'] },
  ],
  'S/MIME: an enveloped mail is attached': [
    mail(
      `${fromAda}\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="smime.p7m"`,
      base64('0\x80'),
    ),
    { text: null, files: ['smime.p7m | application/pkcs7-mime | attachment'], warnings: ['encrypted'] },
  ],
  'PGP in the text: the block becomes a file, words around it stay': [
    plain('Hi\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\nBye', fromAda),
    {
      text: 'Hi\n\nBye',
      files: [
        'message.asc | application/pgp-encrypted | attachment | -----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----',
      ],
      warnings: ['encrypted'],
    },
  ],
  'Yahoo: alternatives of Base64 in lines': [
    multipart(
      'alternative',
      [
        mail(
          'Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: base64',
          base64('Hello '.repeat(40)),
        ),
        html('<div>Hello</div>'),
      ],
      fromAda,
    ),
    { text: 'Hello '.repeat(40), html: '<div>Hello</div>' },
  ],
  'GMX: HTML alone': [
    html('<html><head></head><body>Hallo</body></html>', `${fromAda}\nX-Provags-ID: V03:K1`),
    { text: null, html: '<html><head></head><body>Hallo</body></html>' },
  ],
  'web.de: alternatives and a subject with German letters in ISO-8859-15': [
    both('From: ada@web.example\nSubject: =?ISO-8859-15?Q?Preis_10_=A4?='),
    { subject: 'Preis 10 €' },
  ],
  'Proton: mixed of HTML alone and its public key': [
    multipart(
      'mixed',
      [
        html('<div>Hello</div>'),
        file('application/pgp-keys; filename="publickey.asc"; name="publickey.asc"', 'KEY'),
      ],
      fromAda,
    ),
    { html: '<div>Hello</div>', files: ['publickey.asc | application/pgp-keys | attachment | KEY'] },
  ],
  'Lotus Notes: a related part and Latin text': [
    multipart(
      'related',
      [
        multipart('alternative', [
          mail('Content-Type: text/plain; charset="ISO-8859-1"', Buffer.from('Grüße').toString('utf8')),
          html('<font>Hi</font>'),
        ]),
        file('image/gif', 'GIF89a', 'Content-ID: <_1_0A>'),
      ],
      `${fromAda}\nX-Mailer: Lotus Notes Release 8.5`,
    ),
    { html: '<font>Hi</font>', files: ['attachment-1.gif | image/gif | inline | GIF89a'] },
  ],
  'A mailing list: its footer follows the HTML in both formats': [
    multipart(
      'mixed',
      [both(''), plain('____\nlist <footer>', 'Content-Disposition: inline')],
      `${fromAda}\nList-Id: <users.list.example>\nPrecedence: list`,
    ),
    {
      text: 'Hello\n\n____\nlist <footer>',
      html: '<p>Hello</p>\n\n<div>____<br>\nlist &lt;footer&gt;</div>',
    },
  ],
  'A newsletter: alternatives in related in mixed': [
    multipart('mixed', [multipart('related', [both(''), image('logo', 'logo.png')])], fromAda),
    { text: 'Hello', html: '<p>Hello</p>', files: ['logo.png | image/png | inline'] },
  ],
  'A form mailer: Reply-To names the person': [
    plain('Form', 'From: forms@site.example\nReply-To: "Ada" <ADA@Customer.Example>\nSubject: Contact'),
    { from: ['forms@site.example'], replyTo: ['Ada <ada@customer.example>'] },
  ],
  'A scanner: text without a type and a PDF without a name': [
    multipart('mixed', [mail('X: y', 'Scan'), file('application/pdf', pdf)], fromAda),
    { text: 'Scan', files: [`attachment-1.pdf | application/pdf | attachment | ${pdf}`] },
  ],
  'A digest: its mails are files': [
    multipart(
      'digest',
      [mail('X: y', 'From: a@b.example\n\nOne'), mail('X: y', 'From: c@d.example\n\nTwo')],
      fromAda,
    ),
    { text: null, files: ['attachment-1.eml | message/rfc822', 'attachment-2.eml | message/rfc822'] },
  ],
  'A mail encoded as Base64 in a mail: the EML file is decoded': [
    multipart(
      'mixed',
      [plain('x'), file('message/rfc822; name="Re: Lamp"', 'From: a@b.example\r\n\r\nInner')],
      fromAda,
    ),
    { files: ['Re: Lamp.eml | message/rfc822 | attachment | From: a@b.example\r\n\r\nInner'] },
  ],
  'A contact card: a file': [
    multipart('mixed', [plain('x'), mail('Content-Type: text/vcard; name=ada.vcf', 'BEGIN:VCARD')], fromAda),
    { text: 'x', files: ['ada.vcf | text/vcard'] },
  ],
  'A calendar alone: a file, and no text': [
    mail(`${fromAda}\nContent-Type: text/calendar; method=REPLY`, 'BEGIN:VCALENDAR'),
    { text: null, html: null, files: ['attachment-1.ics | text/calendar'] },
  ],
  'A PDF alone: a file, and no text': [
    `${fromAda}\n${file('application/pdf; name=a.pdf', pdf)}`,
    { text: null, files: ['a.pdf | application/pdf'] },
  ],
  'A text that is an attachment: a file, and no text': [
    plain('data', `${fromAda}\nContent-Disposition: attachment; filename=data.txt`),
    { text: null, files: ['data.txt | text/plain | attachment | data'] },
  ],
  'Markdown without a name: text': [
    mail(`${fromAda}\nContent-Type: text/markdown`, '*Hello*'),
    { text: '*Hello*' },
  ],
  'A MIME-Version alone: text': [mail(`${fromAda}\nMIME-Version: 1.0`, 'Hello'), { text: 'Hello' }],
  'No MIME: text': [mail(fromAda, 'Hello\n'), { text: 'Hello\n', html: null, files: [] }],
  'An empty body: an empty text': [mail(fromAda), { text: '' }],
})
