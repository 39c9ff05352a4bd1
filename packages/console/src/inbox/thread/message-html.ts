import { linkAddresses, type MentionedName, markMentions } from './links.ts'

const fileUrl = /\/v1\/files\/(file_[a-z0-9]+)\/content$/

/** Addresses that a link may have. Others, such as those relative to this page, are no links. */
const linked = /^(https?|mailto|tel):/i

/**
 * The HTML of a message, made ready for the thread:
 * - Addresses become links. Links open in a tab of their own.
 * - Images of files need the session, which an address in the page cannot send: they are read by the client. They are
 *   buttons, which show them large.
 * - Mentions are marked, those of the reader more than others.
 * - Headings are paragraphs: the outline of the page is not the author's.
 * - Blocks that can be wider than the message take the focus: then the keyboard can scroll them.
 * @param nameOfImage the name of the button of an image, by the description of the image
 */
export function preparedHtml(
  html: string,
  nameOfImage: (alt: string) => string,
  mentioned: MentionedName[],
): string {
  if (!/<(img|a|pre|table|h[1-6])\b|:\/\/|mailto:|@/i.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const paragraph = body.ownerDocument.createElement('p')
    paragraph.dataset.heading = heading.tagName.slice(1)
    paragraph.append(...heading.childNodes)
    heading.replaceWith(paragraph)
  }
  for (const image of body.querySelectorAll('img')) {
    const file = fileUrl.exec(image.getAttribute('src') ?? '')?.[1]
    if (!file) continue
    image.removeAttribute('src')
    image.dataset.file = file
    if (image.closest('a')) continue
    const button = body.ownerDocument.createElement('button')
    button.type = 'button'
    button.setAttribute('aria-label', nameOfImage(image.alt))
    image.replaceWith(button)
    button.append(image)
  }
  linkAddresses(body)
  markMentions(body, mentioned)
  for (const link of body.querySelectorAll('a')) {
    if (linked.test(link.getAttribute('href') ?? '')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    } else link.removeAttribute('href')
  }
  for (const block of body.querySelectorAll<HTMLElement>('pre, table')) block.tabIndex = 0
  return body.innerHTML
}
