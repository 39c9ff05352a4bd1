import { typeIdSuffixPattern } from './ids.ts'

/*
 * Images in HTML from the renderer of Markdown. In sanitized HTML, attribute values contain neither quotes nor `<` and
 * `>`, and texts contain neither `<` nor `>`. So these patterns match elements and attributes, and nothing else.
 */

const fileAddress = new RegExp(`^file:(file_${typeIdSuffixPattern})$`)

/** The id of the file in the address of an image, `file:file_…`; null for any other address. */
export const fileIdIn = (src: string): string | null => fileAddress.exec(src)?.[1] ?? null

/** Browsers and the sanitizer ignore white space and control characters; the sanitizer also ignores comments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are ignored
const ignored = /[\u0000-\u0020]+/g

/** True for addresses of the scheme `file`, in any spelling that a browser or the sanitizer understands. */
export const isFileAddress = (src: string): boolean => /^file:|<!--/i.test(src.replace(ignored, ''))

/**
 * Replaces images by their descriptions.
 * @param isKept true for the addresses of images that stay; the address is empty for an image without one
 */
export const describeImages = (html: string, isKept: (src: string) => boolean): string =>
  html.includes('<img')
    ? html.replace(/<img\b[^>]*>/g, (image) =>
        isKept(attributeOf(image, 'src')) ? image : attributeOf(image, 'alt'),
      )
    : html

const attributeOf = (element: string, name: 'src' | 'alt'): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? ''

const fileImages = new RegExp(`(<img\\b[^>]*? src=")file:(file_${typeIdSuffixPattern})(?=")`, 'g')

const hasFiles = (html: string): boolean => html.includes(' src="file:')

/** The ids of the files that HTML shows as images, each once. */
export const filesIn = (html: string): string[] =>
  hasFiles(html) ? [...new Set(html.matchAll(fileImages).map(([, , id]) => id!))] : []

/** Gives images of files the addresses that clients can use. @param urlOf takes the id of a file */
export const withFileUrls = (html: string, urlOf: (fileId: string) => string): string =>
  hasFiles(html) ? html.replace(fileImages, (_, before, id) => before + escapeHtml(urlOf(id))) : html

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as the content or attribute value of an element. */
export const escapeHtml = (text: string): string =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character]!) : text
