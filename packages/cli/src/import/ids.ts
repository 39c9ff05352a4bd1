import type { Author, Walk } from './source.ts'

/** The external ids of objects of a source. Those that the API shows name the source, so that sources can be mixed. */
export type Ids = {
  /** `zendesk:123` */
  of(id: string | number): string
  /** Decides about the id of an end user. @param own the id that the product of the company has for it */
  endUser(id: string | number, own: string | null | undefined): string
  /** The id of an end user, as decided before. */
  endUserOf(id: string | number): string
  asEndUser(id: string | number): Author
}

export function idsOf(name: string, { out, ownIds }: Walk): Ids {
  const of = (id: string | number) => `${name}:${id}`
  const endUserOf = (id: string | number) => out.recall(`end user ${id}`) ?? of(id)
  return {
    of,
    endUserOf,
    endUser(id, own) {
      const text = ownIds ? (own?.trim() ?? '') : ''
      if (text !== '' && text.length <= 255) out.remember(`end user ${id}`, text)
      return endUserOf(id)
    },
    asEndUser: (id) => ({ author_side: 'end_user', author_end_user_external_id: endUserOf(id) }),
  }
}

export const asOperator = (id: string | number): Author => ({
  author_side: 'operator',
  operator_external_id: String(id),
})

export const asSystem: Author = { author_side: 'system' }

/** Unix seconds, or a time with another zone, as the API writes times. Null for none. */
export function timeOf(time: string | number | null | undefined): string | null {
  if (time === null || time === undefined || time === '' || time === 0) return null
  const date = new Date(typeof time === 'number' ? time * 1000 : time)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Values as metadata: each name begins with that of the source. */
export const prefixed = (source: string, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${source}_${name}`, value]))

/** The end users besides the first one who wrote messages. */
export const othersOf = (messages: { author: Author }[], first: string): string[] => [
  ...new Set(
    messages.flatMap(({ author }) =>
      author.author_side === 'end_user' && author.author_end_user_external_id !== first
        ? [author.author_end_user_external_id]
        : [],
    ),
  ),
]

/** The name of the file at an address; empty if it has none. */
export function nameIn(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
