import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { splitText } from './splitting.ts'

const words = 'Thank you, that works.\n\nMax'
const quote = '> Please try again.\n>\n> Jane'

const attributions: Record<string, string> = {
  'Gmail, English': 'On Fri, May 1, 2026 at 10:00 AM Jane Doe <jane@example.com> wrote:',
  'Gmail, English, wrapped before the address':
    'On Fri, May 1, 2026 at 10:00 AM Jane Alexandra Doe-Smith\n<jane.doe-smith@example.com> wrote:',
  'Gmail, English, wrapped before the verb':
    'On Fri, May 1, 2026 at 10:00 AM Jane Doe <jane.alexandra@department.example.com>\nwrote:',
  'Gmail, English, over three lines':
    'On Fri, May 1, 2026 at 10:00 AM Jane\nDoe via Example <jane@example.com>\nwrote:',
  'Apple Mail, English': 'On 1 May 2026, at 10:00, Jane Doe <jane@example.com> wrote:',
  'Thunderbird, English': 'On 5/1/26 10:00, Jane Doe wrote:',
  mutt: 'On Fri, May 01, 2026 at 10:00:00AM +0200, Jane Doe wrote:',
  'without date': 'Jane Doe <jane@example.com> wrote:',
  'Gmail, German': 'Am Fr., 1. Mai 2026 um 10:00 Uhr schrieb Jane Doe <jane@example.com>:',
  'Apple Mail, German': 'Am 01.05.2026 um 10:00 schrieb Jane Doe <jane@example.com>:',
  'Thunderbird, German': 'Am 01.05.26 um 10:00 schrieb Jane Doe:',
  'Gmail, French': 'Le ven. 1 mai 2026 à 10:00, Jane Doe <jane@example.com> a écrit :',
  'Apple Mail, French, wrapped': 'Le 1 mai 2026 à 10:00, Jane Doe <jane@example.com> a\nécrit :',
  'Gmail, Spanish': 'El vie, 1 may 2026 a las 10:00, Jane Doe (<jane@example.com>) escribió:',
  'Gmail, Catalan': 'Missatge de Jane Doe <jane@example.com> del dia dv., 1 de maig 2026 a les 10:00:',
  'Gmail, Portuguese': 'Em sex., 1 de mai. de 2026 às 10:00, Jane Doe <jane@example.com> escreveu:',
  'Gmail, Italian': 'Il giorno ven 1 mag 2026 alle ore 10:00 Jane Doe <jane@example.com> ha scritto:',
  'Gmail, Dutch': 'Op vr 1 mei 2026 om 10:00 schreef Jane Doe <jane@example.com>:',
  'Gmail, Polish': 'pt., 1 maj 2026 o 10:00 Jane Doe <jane@example.com> napisał(a):',
  'Thunderbird, Polish': 'W dniu 1.05.2026 o 10:00, Jane Doe pisze:',
  'Gmail, Russian': 'пт, 1 мая 2026 г. в 10:00, Jane Doe <jane@example.com>:',
  'Thunderbird, Russian': '01.05.2026 10:00, Jane Doe пишет:',
  'mail.ru': 'Пятница, 1 мая 2026, 10:00 +03:00 от Jane Doe <jane@example.com>:',
  Yandex: '01.05.2026, 10:00, "Jane Doe" <jane@example.com>:',
  'Gmail, Ukrainian': 'пт, 1 трав. 2026 р. о 10:00 Jane Doe <jane@example.com> пише:',
  'Gmail, Czech': 'pá 1. 5. 2026 v 10:00 odesílatel Jane Doe <jane@example.com> napsal:',
  'Gmail, Slovak': 'pi 1. 5. 2026 o 10:00 Jane Doe <jane@example.com> napísal(a):',
  'Gmail, Swedish': 'Den fre 1 maj 2026 kl 10:00 skrev Jane Doe <jane@example.com>:',
  'Gmail, Danish': 'Den fre. 1. maj 2026 kl. 10.00 skrev Jane Doe <jane@example.com>:',
  'Gmail, Norwegian': 'fre. 1. mai 2026 kl. 10:00 skrev Jane Doe <jane@example.com>:',
  'Gmail, Finnish': 'pe 1. toukok. 2026 klo 10.00 Jane Doe (jane@example.com) kirjoitti:',
  'Gmail, Turkish': 'Jane Doe <jane@example.com>, 1 May 2026 Cum, 10:00 tarihinde şunu yazdı:',
  'Gmail, Hungarian': 'Jane Doe <jane@example.com> ezt írta (időpont: 2026. máj. 1., P, 10:00):',
  'Gmail, Romanian': 'În vin., 1 mai 2026 la 10:00, Jane Doe <jane@example.com> a scris:',
  'Gmail, Greek': 'Στις Παρ 1 Μαΐ 2026 στις 10:00 π.μ., ο χρήστης Jane Doe <jane@example.com> έγραψε:',
  'Gmail, Bulgarian': 'На пт, 1.05.2026 г. в 10:00 Jane Doe <jane@example.com> написа:',
  'Gmail, Hebrew':
    '\u202bבתאריך יום ו׳, 1 במאי 2026 ב-10:00 מאת \u202aJane Doe\u202c\u200f <\u202ajane@example.com\u202c\u200f>:\u202c',
  'Gmail, Arabic':
    '\u202bفي الجمعة، ١ مايو ٢٠٢٦ في ١٠:٠٠ ص تمت كتابة ما يلي بواسطة \u202aJane\u202c <\u202ajane@example.com\u202c>:\u202c',
  'Gmail, Japanese': '2026年5月1日(金) 10:00 Jane Doe <jane@example.com>:',
  'Apple Mail, Japanese': '2026/05/01 10:00、Jane Doe <jane@example.com>のメール:',
  'Gmail, Chinese': 'Jane Doe <jane@example.com> 于2026年5月1日周五 10:00写道：',
  'Apple Mail, Chinese': '在 2026年5月1日，10:00，Jane Doe <jane@example.com> 写道：',
  'Gmail, Chinese of Taiwan': 'Jane Doe <jane@example.com> 於 2026年5月1日 週五 上午10:00寫道：',
  'Gmail, Korean': '2026년 5월 1일 (금) 오전 10:00, Jane Doe <jane@example.com>님이 작성:',
  'Gmail, Vietnamese': 'Vào Th 6, 1 thg 5, 2026 vào lúc 10:00 Jane Doe <jane@example.com> đã viết:',
  'Gmail, Indonesian': 'Pada tanggal Jum, 1 Mei 2026 pukul 10.00 Jane Doe <jane@example.com> menulis:',
  'Gmail, Thai': 'ในวันที่ ศ. 1 พ.ค. 2026 เวลา 10:00 Jane Doe <jane@example.com> เขียนว่า:',
}

const headers: Record<string, string> = {
  'Outlook, English':
    '-----Original Message-----\nFrom: Jane Doe <jane@example.com>\nSent: Friday, May 1, 2026 10:00 AM\nTo: Max\nSubject: Order',
  'Outlook, English, under its line':
    '________________________________\nFrom: Jane Doe <jane@example.com>\nSent: Friday, May 1, 2026 10:00 AM\nTo: Max\nSubject: Order',
  'Outlook, German':
    '-----Ursprüngliche Nachricht-----\nVon: Jane Doe <jane@example.com>\nGesendet: Freitag, 1. Mai 2026 10:00\nAn: Max\nBetreff: Bestellung',
  'Outlook, German, under its line':
    '________________________________\nVon: Jane Doe <jane@example.com>\nGesendet: Freitag, 1. Mai 2026 10:00\nAn: Max\nBetreff: Bestellung',
  'Outlook, French':
    '-----Message d’origine-----\nDe : Jane Doe <jane@example.com>\nEnvoyé : vendredi 1 mai 2026 10:00\nÀ : Max\nObjet : Commande',
  'Outlook, Spanish':
    '-----Mensaje original-----\nDe: Jane Doe <jane@example.com>\nEnviado el: viernes, 1 de mayo de 2026 10:00\nPara: Max\nAsunto: Pedido',
  'Outlook, Portuguese':
    '-----Mensagem original-----\nDe: Jane Doe <jane@example.com>\nEnviada em: sexta-feira, 1 de maio de 2026 10:00\nPara: Max\nAssunto: Pedido',
  'Outlook, Italian':
    '-----Messaggio originale-----\nDa: Jane Doe <jane@example.com>\nInviato: venerdì 1 maggio 2026 10:00\nA: Max\nOggetto: Ordine',
  'Outlook, Dutch':
    '-----Oorspronkelijk bericht-----\nVan: Jane Doe <jane@example.com>\nVerzonden: vrijdag 1 mei 2026 10:00\nAan: Max\nOnderwerp: Bestelling',
  'Outlook, Polish':
    '-----Wiadomość oryginalna-----\nOd: Jane Doe <jane@example.com>\nWysłano: piątek, 1 maja 2026 10:00\nDo: Max\nTemat: Zamówienie',
  'Outlook, Russian':
    '-----Исходное сообщение-----\nОт: Jane Doe <jane@example.com>\nОтправлено: 1 мая 2026 г. 10:00\nКому: Max\nТема: Заказ',
  'Outlook, Ukrainian, under its line':
    '________________________________\nВід: Jane Doe <jane@example.com>\nНадіслано: 1 травня 2026 р. 10:00\nКому: Max\nТема: Замовлення',
  'Outlook, Czech':
    '-----Původní zpráva-----\nOd: Jane Doe <jane@example.com>\nOdesláno: pátek 1. května 2026 10:00\nKomu: Max\nPředmět: Objednávka',
  'Outlook, Swedish':
    '-----Ursprungligt meddelande-----\nFrån: Jane Doe <jane@example.com>\nSkickat: den 1 maj 2026 10:00\nTill: Max\nÄmne: Order',
  'Outlook, Danish':
    '-----Oprindelig meddelelse-----\nFra: Jane Doe <jane@example.com>\nSendt: 1. maj 2026 10:00\nTil: Max\nEmne: Ordre',
  'Outlook, Norwegian':
    '-----Opprinnelig melding-----\nFra: Jane Doe <jane@example.com>\nSendt: fredag 1. mai 2026 10:00\nTil: Max\nEmne: Ordre',
  'Outlook, Finnish':
    '-----Alkuperäinen viesti-----\nLähettäjä: Jane Doe <jane@example.com>\nLähetetty: perjantai 1. toukokuuta 2026 10.00\nVastaanottaja: Max\nAihe: Tilaus',
  'Outlook, Turkish':
    '-----Orijinal İleti-----\nKimden: Jane Doe <jane@example.com>\nGönderildi: 1 Mayıs 2026 Cuma 10:00\nKime: Max\nKonu: Sipariş',
  'Outlook, Japanese':
    '-----元のメッセージ-----\n差出人: Jane Doe <jane@example.com>\n送信日時: 2026年5月1日金曜日 10:00\n宛先: Max\n件名: 注文',
  'Outlook, Chinese':
    '________________________________\n发件人: Jane Doe <jane@example.com>\n发送时间: 2026年5月1日 10:00\n收件人: Max\n主题: 订单',
  'QQ Mail':
    '------------------ 原始邮件 ------------------\n发件人: "Jane" <jane@example.com>;\n发送时间: 2026年5月1日(星期五) 上午10:00\n收件人: "Max";\n主题: 订单',
  'Outlook, Korean':
    '-----Original Message-----\n보낸 사람: Jane Doe <jane@example.com>\n보낸 날짜: 2026년 5월 1일 금요일 오전 10:00\n받는 사람: Max\n제목: 주문',
  'Samsung Mail':
    '-------- Original message --------\nFrom: Jane Doe <jane@example.com>\nDate: 5/1/26 10:00 (GMT+01:00)\nTo: Max\nSubject: Order',
  'Fastmail, bold labels':
    '----- Original message -----\n*From:* Jane Doe <jane@example.com>\n*To:* Max\n*Subject:* Order',
  'Lotus Notes':
    '-----Jane Doe <jane@example.com> wrote: -----\nTo: Max\nFrom: Jane Doe <jane@example.com>\nDate: 05/01/2026 10:00AM\nSubject: Order',
  'recipients over two lines':
    '-----Original Message-----\nFrom: Jane <jane@example.com>\nTo: Max <max@example.com>,\nMia <mia@example.com>\nSubject: Order',
}

describe('history at the end of a text with its sign is cut', () => {
  for (const [client, attribution] of Object.entries(attributions)) {
    test(`an attribution line of ${client}`, () => {
      const quoted = `${attribution}\n\n${quote}`
      assert.deepEqual(splitText(`${words}\n\n${quoted}\n`), { body: words, quoted })
    })
    test(`an attribution line of ${client}, with CRLF and directly under the words`, () => {
      const quoted = `${attribution}\n${quote}`.replaceAll('\n', '\r\n')
      assert.deepEqual(splitText(`${words}\r\n${quoted}\r\n\r\n`), { body: words, quoted })
    })
  }
  for (const [client, header] of Object.entries(headers)) {
    test(`the original's header of ${client}`, () => {
      const quoted = `${header}\n\nPlease try again.\n\nJane`
      assert.deepEqual(splitText(`${words}\n\n${quoted}\n`), { body: words, quoted })
    })
  }
  test('of several answers one after the other', () => {
    const quoted =
      'On 1 May 2026, at 10:00, Jane <j@example.com> wrote:\n> Yes.\n>\n> On 30 Apr 2026, at 9:00, Max wrote:\n>> No.'
    assert.deepEqual(splitText(`Fine.\n\n${quoted}`), { body: 'Fine.', quoted })
  })
  test('with the signature above it, which stays', () => {
    const quoted = `On 5/1/26 10:00, Jane Doe wrote:\n${quote}`
    assert.equal(
      splitText(`${words}\n\n-- \nMax\nExample Ltd\n\n${quoted}`).body,
      `${words}\n\n-- \nMax\nExample Ltd`,
    )
  })
})

const on = 'On 5/1/26 10:00, Jane Doe <jane@example.com> wrote:'

const kept: Record<string, string> = {
  'no quotation': words,
  'words below the quotation': `${words}\n\n${on}\n${quote}\n\nOne more thing.`,
  'the signature of a telephone below the quotation': `${words}\n\n${on}\n${quote}\n\nSent from my iPhone`,
  'words between quotations': `Hello,\n\n${on}\n> First?\n\nYes.\n\n> Second?\n`,
  'answers after an attribution at the top': `${on}\n> First?\n\nYes.\n`,
  'nothing above the quotation': `${on}\n${quote}\n`,
  'nothing but empty lines above the quotation': `\n\n \n${on}\n${quote}\n`,
  'nothing above the original': `${headers['Outlook, English']}\n\nText`,
  'a quotation without its sign': `${words}\n\n${quote}\n`,
  'a quotation after a line that is no attribution': `${words}\n\nYou said:\n${quote}\n`,
  'a quotation after a sentence with a verb': `${words}\n\nMy boss wrote this.\n${quote}\n`,
  'an attribution without a quotation': `${words}\n\n${on}\nPlease try again.\n`,
  'an attribution at the end': `${words}\n\n${on}\n`,
  'a mark without header lines': `${words}\n\n-----Original Message-----\nPlease try again.\n`,
  'a mark with a sender alone': `${words}\n\n-----Original Message-----\nFrom: Jane\n\nPlease try again.\n`,
  'header lines without a mark': `${words}\n\nFrom: Jane <jane@example.com>\nSent: Friday\nTo: Max\nSubject: Order\n\nText`,
  'header lines without a sender': `${words}\n\n-----Original Message-----\nTo: Max\nSubject: Order\n\nText`,
  'a line of underscores': `${words}\n\n________________________________\nTerms and conditions apply.\n`,
  'a forwarded mail': `${words}\n\n---------- Forwarded message ---------\nFrom: Jane <jane@example.com>\nDate: Fri, May 1, 2026\nSubject: Order\nTo: Max\n\nText\n\n${on}\n> Older`,
  'a bare quotation above history': `> You asked\n\nYes.\n\n${on}\n${quote}`,
  'a footer of a mailing list below the quotation': `${words}\n\n${on}\n${quote}\n_______________________________________________\nusers mailing list`,
}

describe('a text is kept whole with', () => {
  for (const [what, text] of Object.entries(kept)) {
    test(what, () => assert.deepEqual(splitText(text), { body: text, quoted: null }))
  }
})
