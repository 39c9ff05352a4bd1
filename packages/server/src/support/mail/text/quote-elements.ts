import { words } from '../../../platform/kernel/words.ts'

/**
 * The meaning that a mail client gave an element: `container` has the mail that is answered, and often the line that
 * introduces it; `attribution` is that line; after the start of `original` all is the mail that is answered; `ruler`
 * separates it if the lines of its header follow.
 */
export type Sign = 'container' | 'attribution' | 'original' | 'ruler'

const signs = new Map<string, Sign>()
const declare = (sign: Sign, names: string) => {
  for (const name of words(names)) signs.set(name, sign)
}

// Classes begin with a dot, ids with #, names with @.
declare(
  'container',
  `
  .gmail_quote .gmail_quote_container .yahoo_quoted @yahoo_quoted #yahoo_quoted .protonmail_quote .zmail_extra
  .zmail_extra_hr_quote .tutanota_quote #mail-editor-reference-message-container @quote @quoted-content
  #isreplycontent .ntes-mailmaster-quote .missive_quote .front-blockquote .nylas-quote .superhuman-quote
  .sh-quoted-content .hey-quote .quoted-content-wrapper #replysplit .mailmasterquote .alimail-quote #qt
  .mail-quote-collapse #_replycontent .skiff_quote .spark-quote .mb_quote .clean_bq .mailspring-quote
  .freshdesk_quote .gmail_quote_wrapper .moz-email-quote #zimbra-quote .re-quote`,
)
declare('attribution', '.moz-cite-prefix .gmail_attr #reply-intro .airmail_on .gmail_quote_attribution')
declare(
  'original',
  '#divrplyfwdmsg #divreplyfwdmsg .ms-outlook-mobile-reference-message .outlookmessageheader #olk_src_body_section',
)
declare('ruler', '#appendonsend #stopspelling #zwchr .ms-outlook-mobile-body-separator-line')

/** Signs are among the first classes of an element. */
const maxNames = 20

/** Outlook puts `x_` in front of classes and ids of mail that it quotes, once for each time. */
const named = (prefix: string, names: string | undefined): string[] =>
  names
    ? names
        .slice(0, 1_000)
        .toLowerCase()
        .split(/\s+/, maxNames)
        .map((name) => prefix + name.replace(/^(?:x_)+/, ''))
    : []

/** The sign that an element gives; null for most. */
export function signOf(
  name: string,
  { class: classes, id, name: ownName }: Record<string, string>,
  style: ReadonlyMap<string, string>,
): Sign | null {
  // Gmail indents by quotations without a border.
  if (name === 'blockquote' && style.get('border')?.startsWith('none')) return null
  const names = [...named('.', classes), ...named('#', id), ...(name === 'div' ? named('@', ownName) : [])]
  for (const each of names) {
    const sign = signs.get(each)
    if (sign) return sign
  }
  return name === 'div' && hasTopLine(style) ? 'ruler' : null
}

/** Outlook separates the mail that is answered by a border. */
const hasTopLine = (style: ReadonlyMap<string, string>): boolean =>
  /\bsolid\b/.test(style.get('border-top') ?? '') ||
  (style.get('border-style') ?? '').startsWith('solid none none')
