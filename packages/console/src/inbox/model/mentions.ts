import type { Operator } from '@backline/sdk'

/*
 * The text of a note names colleagues as `@Grace Hopper`. For the API, a list of ids says whom it mentions, and the
 * text has no part in that.
 */

export type Person = Pick<Operator, 'id' | 'name' | 'archived'>

const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Finds the names after `@` in a text, the longest where one begins like another; null without names. */
export function patternOf(names: string[]): RegExp | null {
  if (names.length === 0) return null
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escaped)
  return new RegExp(`(?<![\\p{L}\\p{N}_.+-])@(${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

export const isNamed = (name: string, found: string): boolean =>
  `@${name}`.toLowerCase() === found.toLowerCase()

/**
 * The ids of those whom a text names.
 * @param chosen decides between people with the same name
 */
export function mentionsIn(text: string, people: Person[], chosen: string[]): string[] {
  const able = people.filter(({ id, archived }) => !archived || chosen.includes(id))
  const pattern = text.includes('@') && patternOf(able.map(({ name }) => name))
  if (!pattern) return []
  const ids = [...text.matchAll(pattern)].flatMap(([found]) => {
    const named = able.filter(({ name }) => isNamed(name, found))
    const meant = named.filter(({ id }) => chosen.includes(id))
    return (meant.length > 0 ? meant : named).map(({ id }) => id)
  })
  return [...new Set(ids)]
}

/** The mentions of a note after an edit of its text: those that the text did not name stay. */
export function mentionsAfter(before: { body: string; mentions: string[] }, body: string, people: Person[]) {
  const named = mentionsIn(before.body, people, before.mentions)
  const kept = before.mentions.filter((id) => !named.includes(id))
  return [...new Set([...kept, ...mentionsIn(body, people, before.mentions)])]
}
