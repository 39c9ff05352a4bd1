import { escapeHtml } from '../../../../platform/kernel/html-images.ts'

/** A file that goes as a link. */
export type FileLink = { name: string; url: string; sizeBytes: number }

export type HtmlParts = {
  /** Safe HTML, as are the others. */
  bodyHtml: string
  signatureHtml: string | null
  quotedHtml: string | null
  /** The line above the quotation, such as "On 1 May 2026, Jane wrote:". */
  attribution: string | null
  links: FileLink[]
}

export type TextParts = {
  body: string
  signature: string | null
  quoted: string | null
  attribution: string | null
  links: FileLink[]
}

const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5"
const quotation = 'margin:0 0 0 8px;padding:0 0 0 12px;border-left:2px solid #8a8a8a'

/**
 * The HTML part of a mail: a document that loads nothing and has no colours of its own, so that it is readable on a
 * dark ground.
 */
export function mailHtml({ bodyHtml, signatureHtml, quotedHtml, attribution, links }: HtmlParts): string {
  const parts = [
    `<div dir="auto">${bodyHtml}</div>`,
    links.length > 0 && `<ul>${links.map((link) => `<li>${htmlOf(link)}</li>`).join('')}</ul>`,
    signatureHtml && `<div dir="auto">-- <br>${signatureHtml}</div>`,
    quotedHtml && quotationOf(quotedHtml, attribution),
  ]
  return `<!DOCTYPE html>
<html lang="" dir="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title></title>
</head>
<body style="margin:0;padding:12px;${font}">
${parts.filter(Boolean).join('\n')}
</body>
</html>
`
}

/** The quotation has the classes by which clients fold it. */
function quotationOf(html: string, attribution: string | null): string {
  const line = attribution ? `<div dir="auto" class="gmail_attr">${escapeHtml(attribution)}<br></div>` : ''
  const quote = `<blockquote class="gmail_quote" type="cite" dir="auto" style="${quotation}">${html}</blockquote>`
  return `<div class="gmail_quote gmail_quote_container">${line}${quote}</div>`
}

/** The text part of a mail. The signature comes after the line that clients know it by. */
export function mailText({ body, signature, quoted, attribution, links }: TextParts): string {
  const parts = [
    body.trimEnd(),
    links.length > 0 && links.map(textOf).join('\n'),
    signature && `-- \n${signature.trimEnd()}`,
    quoted && [...(attribution ? [attribution] : []), ...linesOf(quoted).map(quotedLine)].join('\n'),
  ]
  return `${linesOf(parts.filter(Boolean).join('\n\n')).join('\n')}\n`
}

const linesOf = (text: string): string[] => text.trimEnd().split(/\r\n|\r|\n/)

const quotedLine = (line: string): string =>
  line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`

const htmlOf = ({ name, url, sizeBytes }: FileLink): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(onOneLine(name))}</a> (${sizeOf(sizeBytes)})`

const textOf = ({ name, url, sizeBytes }: FileLink): string =>
  `${onOneLine(name)} (${sizeOf(sizeBytes)}): ${url}`

const onOneLine = (name: string): string => name.replace(/\s+/g, ' ').trim()

const units = ['bytes', 'kB', 'MB', 'GB']

function sizeOf(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  return `${step === 0 ? bytes : (bytes / 1_000 ** step).toFixed(1)} ${units[step]}`
}
