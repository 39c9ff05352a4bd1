/** The declarations of a `style` attribute by property, both lower case; the last of a property counts. */
export function declarationsOf(style: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    found.set(
      property,
      declaration
        .slice(colon + 1)
        .trim()
        .toLowerCase(),
    )
  }
  return found
}

export const noDeclarations: ReadonlyMap<string, string> = new Map()

/** A number without unit, with a unit, or null for anything else. */
function lengthOf(value: string | undefined): { size: number; unit: string } | null {
  const match =
    /^(-?\d{0,9}(?:\.\d{1,9})?)(px|pt|pc|cm|mm|in|q|rem|em|ex|ch|%|vw|vh)?(?:\s*!important)?$/.exec(
      value ?? '',
    )
  return match?.[1] ? { size: Number(match[1]), unit: match[2] ?? '' } : null
}

const isZero = (value: string | undefined): boolean => lengthOf(value)?.size === 0

const relativeUnits = new Set(['em', 'ex', 'ch', '%'])

/** `size` is whether texts have a size; null if the element has the size of its parent. */
export const hasSize = (style: ReadonlyMap<string, string>): boolean | null => {
  const value = style.get('font-size')
  if (value === undefined) return null
  const length = lengthOf(value)
  if (length?.size === 0) return false
  return length && relativeUnits.has(length.unit) ? null : true
}

/**
 * True for elements that mail clients do not show, such as the preview text that senders put before a mail. Buttons
 * for other clients than Outlook are links of `mso-hide: all`, which count as shown.
 */
export function isHidden(name: string, style: ReadonlyMap<string, string>): boolean {
  if (style.size === 0) return false
  const keyword = (property: string) => style.get(property)?.split(/[\s!]/, 1)[0]
  return (
    keyword('display') === 'none' ||
    keyword('visibility') === 'hidden' ||
    (keyword('mso-hide') === 'all' && name !== 'a') ||
    isZero(style.get('opacity')) ||
    (isZero(style.get('max-height')) && keyword('overflow') === 'hidden')
  )
}

/** True for an image that nobody can see. */
export const isPixel = (attributes: Record<string, string>, style: ReadonlyMap<string, string>): boolean =>
  [attributes.width, attributes.height, style.get('width'), style.get('height')].some((value) => {
    const length = lengthOf(value?.trim().toLowerCase())
    return length !== null && length.unit !== '%' && length.size <= 2
  })

/** True if line breaks of the text are shown. */
export const keepsLines = (style: ReadonlyMap<string, string>): boolean | null => {
  const value = style.get('white-space')
  return value === undefined ? null : /^(?:pre|pre-wrap|pre-line|break-spaces)$/.test(value)
}
