import { nameKey } from './names.ts'

export const maxSlugLength = 100

/** A slug for a name or a title: its words, joined by hyphens. Empty where there is no letter or digit. */
export const slugOf = (title: string): string =>
  [...nameKey(title).matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .map(([word]) => word)
    .join('-')
    .slice(0, maxSlugLength)
    .replace(/-$/, '')
    .toWellFormed()
