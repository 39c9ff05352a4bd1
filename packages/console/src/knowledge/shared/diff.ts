import { type ArrayChange, diffArrays } from 'diff'

/** A part of a text that both sides have, or only one of them. */
export type Segment = { text: string; isChanged: boolean }

export type Row =
  | { kind: 'same'; left: number; right: number; text: string }
  | { kind: 'changed'; left: number; right: number; before: Segment[]; after: Segment[] }
  | { kind: 'removed'; left: number; before: Segment[] }
  | { kind: 'added'; right: number; after: Segment[] }

/** Texts with more differences than this are shown as replaced: the search takes time that grows with its square. */
const maxEditLength = 1_000
/** Lines with less in common than this are shown as removed and added. */
const leastAlike = 0.4

/** The rows of two texts side by side. */
export function compareTexts(before: string, after: string): Row[] {
  const rows: Row[] = []
  const next = { left: 1, right: 1 }
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      rows.push(...pair(removed[i], added[i], next))
    removed = []
    added = []
  }
  for (const change of changesOf(before.split('\n'), after.split('\n'))) {
    if (change.removed) removed = removed.concat(change.value)
    else if (change.added) added = added.concat(change.value)
    else {
      flush()
      for (const text of change.value)
        rows.push({ kind: 'same', left: next.left++, right: next.right++, text })
    }
  }
  flush()
  return rows
}

/** A line that was replaced stands beside the one that replaces it. */
function pair(
  removed: string | undefined,
  added: string | undefined,
  next: { left: number; right: number },
): Row[] {
  const words = removed !== undefined && added !== undefined && compareWords(removed, added)
  if (words) return [{ kind: 'changed', left: next.left++, right: next.right++, ...words }]
  const rows: Row[] = []
  if (removed !== undefined) rows.push({ kind: 'removed', left: next.left++, before: whole(removed) })
  if (added !== undefined) rows.push({ kind: 'added', right: next.right++, after: whole(added) })
  return rows
}

const whole = (text: string): Segment[] => [{ text, isChanged: true }]

/** The words of two lines; null if they have little in common. */
export function compareWords(before: string, after: string): { before: Segment[]; after: Segment[] } | null {
  const changes = changesOf(wordsOf(before), wordsOf(after))
  const alike = changes
    .flatMap(({ value, added, removed }) => (added || removed ? [] : value))
    .join('').length
  if (alike < leastAlike * Math.min(before.length, after.length)) return null
  return {
    before: changes.filter(({ added }) => !added).map(segment),
    after: changes.filter(({ removed }) => !removed).map(segment),
  }
}

const wordsOf = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

const segment = ({ value, added, removed }: ArrayChange<string>): Segment => ({
  text: value.join(''),
  isChanged: added || removed,
})

const changesOf = (before: string[], after: string[]): ArrayChange<string>[] =>
  diffArrays(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false, count: before.length },
    { value: after, removed: false, added: true, count: after.length },
  ]
