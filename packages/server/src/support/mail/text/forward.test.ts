import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forwardOf } from './forward.ts'

type Labels = [from: string, date: string, subject: string, to: string]

const english: Labels = ['From', 'Date', 'Subject', 'To']

const block = ([from, date, subject, to]: Labels, prefix = '') =>
  [
    `${from}: Jane Doe <jane@example.com>`,
    `${date}: Friday, May 1, 2026 10:00`,
    `${subject}: Order 7`,
    `${to}: Max <max@example.com>`,
  ]
    .map((line) => prefix + line)
    .join('\n')

const texts: Record<string, [mark: string, labels: Labels]> = {
  Gmail: ['---------- Forwarded message ---------', english],
  Yahoo: ['----- Forwarded Message -----', english],
  'Proton Mail': ['------- Forwarded Message -------', english],
  'Zoho Mail': ['============ Forwarded message ============', english],
  'Lotus Notes': ['----- Forwarded by Max Muster/EXAMPLE on 05/01/2026 10:00 AM -----', english],
  'Samsung Mail': ['-------- Original message --------', english],
  Outlook: ['-----Original Message-----', ['From', 'Sent', 'Subject', 'To']],
  'Outlook, under its line': ['________________________________', ['From', 'Sent', 'Subject', 'To']],
  'Outlook, German': ['-----Ursprüngliche Nachricht-----', ['Von', 'Gesendet', 'Betreff', 'An']],
  'Apple Mail': ['Begin forwarded message:', english],
  'Apple Mail, German': ['Anfang der weitergeleiteten Nachricht:', ['Von', 'Datum', 'Betreff', 'An']],
  'Apple Mail, French': ['Début du message transféré :', ['De', 'Date', 'Objet', 'À']],
  'Apple Mail, Spanish': ['Inicio del mensaje reenviado:', ['De', 'Fecha', 'Asunto', 'Para']],
  'Apple Mail, Italian': ['Inizio messaggio inoltrato:', ['Da', 'Data', 'Oggetto', 'A']],
  'Apple Mail, Dutch': ['Begin doorgestuurd bericht:', ['Van', 'Datum', 'Onderwerp', 'Aan']],
  'Apple Mail, Japanese': ['転送されたメッセージ:', ['差出人', '日付', '件名', '宛先']],
  'Apple Mail, Chinese': ['下面是被转发的邮件：', ['发件人', '日期', '主题', '收件人']],
  Thunderbird: ['-------- Forwarded Message --------', english],
  'Thunderbird, German': ['-------- Weitergeleitete Nachricht --------', ['Von', 'Datum', 'Betreff', 'An']],
  'Thunderbird, French': ['-------- Message transféré --------', ['De ', 'Date ', 'Sujet ', 'Pour ']],
  'Thunderbird, Spanish': ['-------- Mensaje reenviado --------', ['De', 'Fecha', 'Asunto', 'Para']],
  'Thunderbird, Portuguese': ['-------- Mensagem encaminhada --------', ['De', 'Data', 'Assunto', 'Para']],
  'Thunderbird, Italian': ['-------- Messaggio Inoltrato --------', ['Mittente', 'Data', 'Oggetto', 'A']],
  'Thunderbird, Dutch': ['-------- Doorgestuurd bericht --------', ['Van', 'Datum', 'Onderwerp', 'Aan']],
  'Thunderbird, Polish': ['-------- Przekazana wiadomość --------', ['Od', 'Data', 'Temat', 'Do']],
  'Thunderbird, Russian': ['-------- Пересылаемое сообщение --------', ['От', 'Дата', 'Тема', 'Кому']],
  'Thunderbird, Ukrainian': ['-------- Переслане повідомлення --------', ['Від', 'Дата', 'Тема', 'Кому']],
  'Thunderbird, Czech': ['-------- Přeposlaná zpráva --------', ['Od', 'Datum', 'Předmět', 'Komu']],
  'Thunderbird, Swedish': ['-------- Vidarebefordrat meddelande --------', ['Från', 'Datum', 'Ämne', 'Till']],
  'Thunderbird, Danish': ['-------- Videresendt meddelelse --------', ['Fra', 'Dato', 'Emne', 'Til']],
  'Thunderbird, Finnish': [
    '-------- Välitetty viesti --------',
    ['Lähettäjä', 'Päiväys', 'Aihe', 'Vastaanottaja'],
  ],
  'Thunderbird, Turkish': ['-------- İletilen İleti --------', ['Kimden', 'Tarih', 'Konu', 'Kime']],
  'Naver, Korean': ['-------- 전달된 메시지 --------', ['보낸 사람', '날짜', '제목', '받는 사람']],
  'NetEase, Chinese': ['-------- 转发邮件信息 --------', ['发件人', '发送日期', '主题', '收件人']],
}

const facts = {
  from: { address: 'jane@example.com', name: 'Jane Doe' },
  subject: 'Order 7',
  date: 'Friday, May 1, 2026 10:00',
}

describe('a forwarded text is read after the mark', () => {
  for (const [client, [mark, labels]] of Object.entries(texts)) {
    test(`of ${client}`, () => {
      const text = `Please help her.\n\n${mark}\n${block(labels)}\n\nWhere is it?\n\nJane\n`
      const original = 'Where is it?\n\nJane'
      assert.deepEqual(forwardOf(text, null), { before: 'Please help her.', ...facts, original })
    })
  }
  test('with nothing above it', () => {
    const text = `---------- Forwarded message ---------\r\n${block(english).replaceAll('\n', '\r\n')}\r\n\r\nWhere is it?`
    assert.deepEqual(forwardOf(text, null), { before: '', ...facts, original: 'Where is it?' })
  })
  test('in a quotation, as Apple Mail writes it', () => {
    const text = `Please.\n\nBegin forwarded message:\n\n${block(english, '> ')}\n> \n> Where is it?\n> > On Monday`
    assert.deepEqual(forwardOf(text, null), {
      before: 'Please.',
      ...facts,
      original: 'Where is it?\n> On Monday',
    })
  })
  test('with its older history', () => {
    const text = `${texts.Gmail![0]}\n${block(english)}\n\nWhere?\n\nOn 1 May 2026, Max <max@example.com> wrote:\n> There.`
    assert.match(forwardOf(text, null)!.original, /^Where\?(?:.|\n)*> There\.$/)
  })
})

const senders: [string, string | null, string | null][] = [
  ['Jane Doe <jane@example.com>', 'jane@example.com', 'Jane Doe'],
  ['"Doe, Jane" <Jane@Example.com>', 'jane@example.com', 'Doe, Jane'],
  ['jane@example.com', 'jane@example.com', null],
  ['<jane@example.com>', 'jane@example.com', null],
  ['Jane Doe [mailto:jane@example.com]', 'jane@example.com', 'Jane Doe'],
  ['jane@example.com <mailto:jane@example.com>', 'jane@example.com', null],
  ['jane@example.com (Jane Doe)', 'jane@example.com', 'Jane Doe'],
  ['*Jane Doe* <jane@example.com>', 'jane@example.com', 'Jane Doe'],
  ['"ceo@example.com" <mallory@example.org>', 'mallory@example.org', null],
  ['Jane Doe', null, 'Jane Doe'],
  ['@', null, null],
  ['jane@', null, null],
]

describe('the sender of a forwarded mail', () => {
  for (const [value, address, name] of senders) {
    test(`of ${value} is ${address} with the name ${name}`, () => {
      const text = `----- Forwarded Message -----\nFrom: ${value}\nSubject: Order\n\nText`
      const from = forwardOf(text, null)?.from
      assert.deepEqual(from && (from.name?.includes('@') ? { ...from, name: null } : from), { address, name })
    })
  }
})

const rows = (...pairs: [string, string][]) => pairs.map(([label, value]) => `<b>${label}:</b> ${value}`)
const facing: [string, string][] = [
  ['From', 'Jane Doe &lt;<a href="mailto:jane@example.com">jane@example.com</a>&gt;'],
  ['Date', 'Friday, May 1, 2026 10:00'],
  ['Subject', 'Order 7'],
  ['To', 'Max'],
]

const htmls: Record<string, string> = {
  Gmail: `<div dir="ltr">Please help her.<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>${rows(...facing).join('<br>')}<br></div><br><br><div dir="ltr">Where is <b>it</b>?</div></div></div>`,
  Thunderbird: `<p>Please help her.</p><div class="moz-forward-container"><br>-------- Forwarded Message --------<table class="moz-email-headers-table"><tbody>${facing.map(([label, value]) => `<tr><th align="RIGHT">${label}: </th><td>${value}</td></tr>`).join('')}</tbody></table><br><p>Where is <b>it</b>?</p></div>`,
  'Apple Mail': `<div>Please help her.</div><div><br><blockquote type="cite"><div>Begin forwarded message:</div><br class="Apple-interchange-newline">${rows(
    ...facing,
  )
    .map((row) => `<div>${row}<br></div>`)
    .join('')}<br><div>Where is <b>it</b>?</div></blockquote></div>`,
  'Outlook on the web': `<div>Please help her.</div><hr tabindex="-1"><div id="divRplyFwdMsg">${rows(...facing).join('<br>')}</div><div><br></div><div>Where is <b>it</b>?</div>`,
  'Outlook for Windows': `<div class=WordSection1><p class=MsoNormal>Please help her.<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal>${rows(...facing).join('<br>')}<o:p></o:p></p></div><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Where is <b>it</b>?</p></div>`,
  Yahoo: `<div>Please help her.</div><div class="yahoo_quoted"><div><div>----- Forwarded Message -----</div>${rows(
    ...facing,
  )
    .map((row) => `<div>${row}</div>`)
    .join('')}<div><br></div><div>Where is <b>it</b>?</div></div></div>`,
}

describe('forwarded HTML is read after the mark', () => {
  for (const [client, html] of Object.entries(htmls)) {
    test(`of ${client}`, () => {
      const original = 'Where is **it**?'
      assert.deepEqual(forwardOf('other text', html), { before: 'Please help her.', ...facts, original })
    })
  }
  test('with its images', () => {
    const html = htmls.Gmail!.replace('Where is', '<img src="cid:a@b" alt="photo"> Where is')
    const { original } = forwardOf('', html, (contentId) => `file:${contentId}`)!
    assert.equal(original, '![photo](file:a@b) Where is **it**?')
  })
})

const mark = '---------- Forwarded message ---------'
const others: Record<string, string> = {
  'a text without mark': 'Please help.',
  'a mark without header lines': `${mark}\n\nWhere is it?`,
  'a mark and a sender alone': `${mark}\nFrom: Jane <jane@example.com>\n\nWhere is it?`,
  'a mark and header lines without sender': `${mark}\nSubject: Order\nTo: Max\n\nWhere is it?`,
  'a mark and header lines after other words': `${mark}\nHello\nFrom: Jane <jane@example.com>\nSubject: Order`,
  'header lines without a mark': `Hello\n\n${block(english)}\n\nWhere is it?`,
  'a mark without dashes': `Forwarded message\n${block(english)}\n\nWhere is it?`,
  'a quoted mark': `On 1 May 2026, Max <max@example.com> wrote:\n> ${mark}\n${block(english, '> ')}`,
  'a mark within a sentence': `This is a ${mark} of yours\n${block(english)}`,
}

describe('no forward is', () => {
  for (const [what, text] of Object.entries(others)) {
    test(what, () => {
      assert.equal(forwardOf(text, null), null)
      assert.equal(
        forwardOf(text, `<pre>${text.replaceAll('>', '&gt;').replaceAll('<', '&lt;')}</pre>`),
        null,
      )
    })
  }
})
