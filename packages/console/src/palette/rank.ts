import type { Command } from '../app/commands.tsx'

/** An entry of the palette: a command, a view. */
export type Entry = Command & {
  id: string
  /** It is found by typing alone: there are many of its kind. */
  isChoice?: boolean
}

const places = [undefined, 'go', 'setting']
const mostOfGroup = 6
/** Two letters are parts of most names. */
const shortestPart = 3

/**
 * How well a name fits the words: 4 it is the name, 3 its beginning, 2 beginnings of its words, 1 parts of it, or words
 * of its group beside one of it; 0 not at all.
 */
function fitOf({ label, group }: Command, query: string): number {
  const name = label.toLowerCase()
  if (name === query) return 4
  if (name.startsWith(query)) return 3
  const words = query.split(/\s+/)
  const begin = name.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => begin.some((each) => each.startsWith(word)))) return 2
  const text = `${name} ${group.toLowerCase()}`
  const isPart = query.length >= shortestPart && words.some((word) => name.includes(word))
  return isPart && words.every((word) => text.includes(word)) ? 1 : 0
}

const byName = (a: Command, b: Command): number => a.label.localeCompare(b.label)

/** The entries by group, in the order in which the first of each comes. */
function grouped(entries: Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.group)
    if (group) group.push(entry)
    else groups.set(entry.group, [entry])
  }
  return [...groups.values()]
}

/**
 * The entries that fit the words, the best first, each with its group. Equal ones are ordered by use, then by name: not
 * by what was shown last on the page. A dangerous one comes after all others, unless the words begin its name; parts of
 * words do not find it.
 */
export function found(entries: Entry[], words: string, usesOf: (id: string) => number): Entry[] {
  const query = words.toLowerCase()
  const fits = entries
    .map((entry) => ({ entry, fit: fitOf(entry, query) }))
    .filter(({ entry, fit }) => fit > (entry.isDangerous ? 1 : 0))
    .sort(
      (a, b) =>
        b.fit - a.fit ||
        usesOf(b.entry.id) - usesOf(a.entry.id) ||
        places.indexOf(a.entry.place) - places.indexOf(b.entry.place) ||
        byName(a.entry, b.entry),
    )
  const isLast = ({ entry, fit }: (typeof fits)[number]) => Boolean(entry.isDangerous) && fit < 3
  return [fits.filter((each) => !isLast(each)), fits.filter(isLast)].flatMap((each) =>
    grouped(each.map(({ entry }) => entry)).flatMap((group) => group.slice(0, mostOfGroup)),
  )
}

/** All entries but choices: those of the page by use, with the group that is used most first; then places; settings. */
export function listed(entries: Entry[], usesOf: (id: string) => number): Entry[] {
  const shown = entries.filter(({ isChoice }) => !isChoice)
  const [safe, dangerous] = [
    shown.filter((each) => !each.isDangerous),
    shown.filter((each) => each.isDangerous),
  ]
  const usesIn = (group: Entry[]) => group.reduce((sum, { id }) => sum + usesOf(id), 0)
  const ofPage = grouped(safe.filter(({ place }) => !place)).map((group) =>
    group.sort(
      (a, b) => usesOf(b.id) - usesOf(a.id) || Number(!a.shortcut) - Number(!b.shortcut) || byName(a, b),
    ),
  )
  ofPage.sort((a, b) => usesIn(b) - usesIn(a) || b.length - a.length || byName(a[0]!, b[0]!))
  const rest = ['go', 'setting'].flatMap((place) => grouped(safe.filter((each) => each.place === place)))
  return [...ofPage, ...rest, ...grouped(dangerous.sort(byName))].flat()
}
