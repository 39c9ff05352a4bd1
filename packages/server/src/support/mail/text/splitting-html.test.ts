import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { markdownOf } from './markdown.ts'
import { splitHtml } from './splitting.ts'

const shown = (html: string | null) => (html === null ? null : markdownOf(html, () => null))

const header = (labels: string) => {
  const [from, sent, to, subject] = labels.split(' ')
  return `<b>${from}:</b> Jane Doe &lt;jane@example.com&gt;<br>
<b>${sent}:</b> Friday, May 1, 2026 10:00 AM<br>
<b>${to}:</b> Max &lt;max@example.com&gt;<br>
<b>${subject}:</b> Order`
}

const gmail = (attribution: string) =>
  `<div dir="ltr">Thank you.</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${attribution}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">Please try again.</div></blockquote></div>\r\n`

const onDate =
  'On Fri, May 1, 2026 at 10:00 AM Jane &lt;<a href="mailto:jane@example.com">jane@example.com</a>&gt; wrote:'

/** Each answers "Thank you." to a mail of the text "Please try again.". */
const clients: Record<string, string> = {
  Gmail: gmail(onDate),
  'Gmail, in a language that is not listed': gmail('Jane Doe (1.5.2026) ga yazgan:'),
  'Gmail before 2018': `<div dir="ltr">Thank you.</div><div class="gmail_extra"><br><div class="gmail_quote">${onDate}<br><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>Please try again.</div></blockquote></div><br></div>`,
  'Gmail for Android': `<div dir="auto">Thank you.</div><br><div class="gmail_quote"><div dir="ltr">${onDate}<br></div><blockquote class="gmail_quote"><p dir="ltr">Please try again.</p></blockquote></div>`,
  Superhuman: `<html><body><div>Thank you.</div><br/><div class="gmail_signature"></div><br/><div class="gmail_quote"><div class="gmail_quote_attribution">${onDate}</div><blockquote class="gmail_quote"><div>Please try again.</div></blockquote></div></body></html>`,
  'Apple Mail': `<html><head></head><body style="overflow-wrap: break-word;">Thank you.<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>On 1 May 2026, at 10:00, Jane Doe &lt;jane@example.com&gt; wrote:</div><br class="Apple-interchange-newline"><div><div>Please try again.</div></div></blockquote></div><br></body></html>`,
  'Apple Mail, German': `<body>Thank you.<div><br><blockquote type="cite"><div>Am 01.05.2026 um 10:00 schrieb Jane Doe &lt;jane@example.com&gt;:</div><br class="Apple-interchange-newline"><div>Please try again.</div></blockquote></div><br></body>`,
  iPhone: `<html><body dir="auto">Thank you.<br><br><div dir="ltr"></div><div dir="ltr"><br><blockquote type="cite">Am 01.05.2026 um 10:00 schrieb Jane Doe &lt;jane@example.com&gt;:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">Please try again.</div></blockquote></body></html>`,
  Thunderbird: `<html><body><p>Thank you.</p><div class="moz-cite-prefix">On 5/1/26 10:00, Jane Doe wrote:<br></div><blockquote type="cite" cite="mid:abc@example.com"><p>Please try again.</p></blockquote><p><br></p></body></html>`,
  'Thunderbird, in a language that is not listed': `<p>Thank you.</p><div class="moz-cite-prefix">Jane Doe, 1.5.2026 yozdi<br></div><blockquote type="cite"><p>Please try again.</p></blockquote>`,
  'Outlook on the web': `<div class="elementToProof">Thank you.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">${header('From Sent To Subject')}</font><div>&nbsp;</div></div><div>Please try again.</div>`,
  'Outlook on the web, French': `<div>Thank you.</div><div id="appendonsend"></div><hr tabindex="-1"><div id="divRplyFwdMsg">${header('De Envoyé À Objet')}</div><div>Please try again.</div>`,
  'Outlook on the web, in a language that is not listed': `<div>Thank you.</div><hr tabindex="-1"><div id="divRplyFwdMsg"><b>Kimdan:</b> Jane<br><b>Sana:</b> 1</div><div>Please try again.</div>`,
  'Outlook.com of today': `<div>Thank you.</div><div id="mail-editor-reference-message-container"><br><hr><div style="text-align: left; padding: 3pt 0in 0in; border-width: 1pt medium medium; border-style: solid none none;">${header('From Date To Subject')}</div><div>Please try again.</div></div>`,
  'Outlook of today, without its element': `<div>Thank you.</div><div style="padding: 3pt 0in 0in; border-width: 1pt medium medium; border-style: solid none none;">${header('From Sent To Subject')}</div><div>Please try again.</div>`,
  'Outlook for Windows': `<div class=WordSection1><p class=MsoNormal>Thank you.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p class=MsoNormal>${header('From Sent To Subject')}<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Please try again.<o:p></o:p></p></div>`,
  'Outlook for Windows, German': `<div class=WordSection1><p class=MsoNormal>Thank you.<o:p></o:p></p><div style='border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>${header('Von Gesendet An Betreff')}</p></div><p class=MsoNormal>Please try again.</p></div>`,
  'Outlook for Windows, quoted again': `<div class=WordSection1><p class=MsoNormal>Thank you.</p><div id="x_divRplyFwdMsg">${header('From Sent To Subject')}</div><p class=MsoNormal>Please try again.</p></div>`,
  'Outlook for Mac': `<p class="MsoNormal">Thank you.</p><div style="border:none;border-top:solid #B5C4DF 1.0pt"><p class="MsoNormal"><b><span>From: </span></b><span>Jane Doe &lt;jane@example.com&gt;<br><b>Date: </b>Friday, 1. May 2026 at 10:00<br><b>To: </b>Max<br><b>Subject: </b>Order</span></p></div><p>Please try again.</p>`,
  'Outlook for iOS': `<div dir="ltr">Thank you.</div><div id="ms-outlook-mobile-body-separator-line"><br></div><hr><div class="ms-outlook-mobile-reference-message skipProofing">${header('From Sent To Subject')}</div><div>Please try again.</div>`,
  'Outlook, as text in HTML': `<p>Thank you.</p><p>-----Original Message-----<br>From: Jane Doe &lt;jane@example.com&gt; <br>Sent: Friday, May 1, 2026 10:00 AM<br>To: Max<br>Subject: Order</p><p>Please try again.</p>`,
  Hotmail: `<div dir="ltr">Thank you.<br><div><hr id="stopSpelling">From: jane@example.com<br>To: max@example.com<br>Subject: Order<br>Date: Fri, 1 May 2026 10:00:00 +0000<br><br>Please try again.</div></div>`,
  Yahoo: `<div class="ydp1"><div>Thank you.</div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted yahoo_quoted"><div><div>On Friday, May 1, 2026 at 10:00:00 AM GMT+2, Jane &lt;jane@example.com&gt; wrote: </div><div><br></div><div>Please try again.</div></div></div>`,
  'Proton Mail': `<div style="font-family: Arial">Thank you.</div><div class="protonmail_signature_block protonmail_signature_block-empty"></div><div class="protonmail_quote">On Friday, May 1st, 2026 at 10:00, Jane &lt;jane@example.com&gt; wrote:<br><blockquote class="protonmail_quote" type="cite"><div>Please try again.</div></blockquote><br></div>`,
  'Zoho Mail': `<div>Thank you.<br></div><div class="zmail_extra"><br><div id="Zm-_Id_-Sgn1">---- On Fri, 01 May 2026 10:00:00 +0200 <b>Jane &lt;jane@example.com&gt;</b> wrote ---<br></div><blockquote><div>Please try again.</div></blockquote></div>`,
  Tuta: `<div>Thank you.</div><div><br></div><div>May 1, 2026, 10:00 by jane@example.com:<br></div><blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8;"><div>Please try again.</div></blockquote>`,
  Zimbra: `<div><div>Thank you.</div><br><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">${header('From To Sent Subject')}<br></div><div data-marker="__QUOTED_TEXT__">Please try again.</div></div>`,
  'GMX and web.de': `<div style="font-family: Verdana"><div>Thank you.</div><div><br></div><div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Freitag, 01. Mai 2026 um 10:00 Uhr<br><b>Von:</b>&nbsp;jane@example.com</div><div name="quoted-content">Please try again.</div></div></div>`,
  Roundcube: `<p>Thank you.</p><p id="reply-intro">On 2026-05-01 10:00, Jane wrote:</p><blockquote type="cite" style="padding: 0 0.4em"><div>Please try again.</div></blockquote>`,
  'Lotus Notes': `<font>Thank you.<br><br>-----Jane Doe &lt;jane@example.com&gt; wrote: -----<br>To: max@example.com<br>From: Jane Doe &lt;jane@example.com&gt;<br>Date: 05/01/2026 10:00AM<br>Subject: Order<br><br>Please try again.</font>`,
  'Samsung Mail': `<div dir="auto">Thank you.</div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Original message --------</div><div>From: Jane &lt;jane@example.com&gt; </div><div>Date: 5/1/26 10:00 (GMT+01:00) </div><div>To: Max </div><div>Subject: Order </div><div><br></div></div>Please try again.`,
  Fastmail: `<div>Thank you.</div><div><br></div><div>On Fri, 1 May 2026, at 10:00, Jane wrote:<br></div><blockquote type="cite" id="qt" style=""><div>Please try again.</div></blockquote><div><br></div>`,
  'mail.ru': `<div>Thank you.</div><div>&nbsp;</div><blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px;">Пятница, 1 мая 2026, 10:00 +03:00 от Jane &lt;jane@example.com&gt;:<br>&nbsp;<div>Please try again.</div></blockquote>`,
  Yandex: `<div>Thank you.</div><div>&nbsp;</div><div>01.05.2026, 10:00, "Jane" &lt;jane@example.com&gt;:</div><blockquote><p>Please try again.</p></blockquote>`,
  'QQ Mail': `<div>Thank you.</div><div><br></div><div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div><b>发件人:</b>&nbsp;"Jane" &lt;jane@example.com&gt;;</div><div><b>发送时间:</b>&nbsp;2026年5月1日(星期五) 上午10:00</div><div><b>主题:</b>&nbsp;Order</div></div><div><br></div>Please try again.`,
  NetEase: `<div>Thank you.</div><div class="ntes-mailmaster-quote"><div>---- Replied Message ----</div><table><tr><td>From</td><td>Jane</td></tr></table><div>Please try again.</div></div>`,
  Airmail: `<body><div>Thank you.</div><br><p class="airmail_on">On 1 May 2026 at 10:00:00, Jane (jane@example.com) wrote:</p><blockquote type="cite" class="clean_bq"><div>Please try again.</div></blockquote></body>`,
  'a text with `>`': `Thank you.<br><br>On Fri, May 1, 2026 at 10:00, Jane &lt;jane@example.com&gt;<br>wrote:<br>&gt; Please try again.<br>&gt;<br>&gt; Jane`,
}

describe('history at the end of HTML with its sign is cut', () => {
  for (const [client, html] of Object.entries(clients)) {
    test(`of ${client}`, () => {
      const split = splitHtml(html)
      assert.equal(shown(split.html), 'Thank you.')
      assert.match(shown(split.quotedHtml) ?? '', /Please try again\./)
      assert.equal(split.html + split.quotedHtml, html)
    })
    test(`of ${client}, with a tracking pixel and empty elements below`, () => {
      const below =
        '<p>&nbsp;</p><div style="display:none">hidden</div><img src="https://track.example.com/x" width="1" height="1" alt=""><br>\u200b'
      assert.equal(shown(splitHtml(html + below).html), 'Thank you.')
    })
  }
  test('with an image of the mail as the only answer', () => {
    const html = gmail(onDate).replace('Thank you.', '<img src="cid:shot@example.com" alt="">')
    assert.match(splitHtml(html).html, /cid:shot@example\.com">?/)
    assert.notEqual(splitHtml(html).quotedHtml, null)
  })
})

const attribution = '<div>On 1 May 2026, at 10:00, Jane &lt;jane@example.com&gt; wrote:</div>'
const quote = '<blockquote type="cite">Please try again.</blockquote>'

const kept: Record<string, string> = {
  'no quotation': '<p>Thank you.</p>',
  'words below the quotation': `<p>Thank you.</p>${attribution}${quote}<p>One more thing.</p>`,
  "words below a client's quotation": `${clients.Gmail}<div>One more thing.</div>`,
  "an image of the mail below a client's quotation": `${clients.Gmail}<img src="cid:photo@example.com">`,
  'the signature of a telephone below the quotation': `<p>Thank you.</p>${attribution}${quote}<div>Sent from my iPhone</div>`,
  "answers between the parts of a client's quotation": `<div>See below.</div><div class="gmail_quote"><div class="gmail_attr">${onDate}</div><blockquote class="gmail_quote">First?</blockquote><div>Yes.</div><blockquote class="gmail_quote">Second?</blockquote></div>`,
  'words between quotations': `<p>Hello</p>${attribution}${quote}<p>Yes.</p>${attribution}${quote}`,
  'a bare quotation': `<p>Thank you.</p><blockquote>Please try again.</blockquote>`,
  'a text that Gmail indented':
    '<p>Thank you.</p><blockquote class="gmail_quote" style="margin:0 0 0 40px;border:none;padding:0px">Indented</blockquote>',
  'a bare quotation of the type cite': `<p>Thank you.</p>${quote}`,
  'a bare quotation above history': `${quote}<p>Thank you.</p>${attribution}${quote}`,
  'nothing above the quotation': `${attribution}${quote}`,
  "nothing but empty elements above a client's quotation":
    '<div dir="ltr"><br></div><div class="gmail_quote">Text</div>',
  'nothing but a pixel above the quotation': `<img src="https://track.example.com/x" width=1 height=1>${attribution}${quote}`,
  'a ruler without header lines': '<p>Thank you.</p><hr><p>Terms and conditions apply.</p>',
  'header lines without a ruler': `<p>Thank you.</p><p>${header('From Sent To Subject')}</p><p>Please try again.</p>`,
  'a mark without header lines': '<p>Thank you.</p><p>-----Original Message-----</p><p>Please try again.</p>',
  'a mail forwarded by Gmail':
    '<div dir="ltr">See below.<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <strong>Jane</strong> &lt;jane@example.com&gt;<br>Date: Fri, May 1, 2026<br>Subject: Order<br>To: Max<br></div><br><br><div>Please try again.</div></div></div>',
  'a mail forwarded by Thunderbird': `<p>See below.</p><div class="moz-forward-container"><br>-------- Forwarded Message --------<table><tr><th>Subject: </th><td>Order</td></tr><tr><th>Date: </th><td>Fri, 1 May 2026</td></tr><tr><th>From: </th><td>Jane &lt;jane@example.com&gt;</td></tr></table><br>Please try again.${attribution}${quote}</div>`,
  'a mail forwarded by Apple Mail':
    '<div>See below.</div><br><blockquote type="cite"><div>Begin forwarded message:</div><br><div><b>From: </b>Jane &lt;jane@example.com&gt;</div><div><b>Subject: </b>Order</div><br><div>Please try again.</div></blockquote>',
}

describe('HTML is kept whole with', () => {
  for (const [what, html] of Object.entries(kept)) {
    test(what, () => assert.deepEqual(splitHtml(html), { html, quotedHtml: null }))
  }
})
