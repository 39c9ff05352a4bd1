/** A part of a text that both sides have, or only one of them. */
export type Segment = { text: string; isChanged: boolean }

export type Row =
  | { kind: 'same'; left: number; right: number; text: string }
  | { kind: 'changed'; left: number; right: number; before: Segment[]; after: Segment[] }
  | { kind: 'removed'; left: number; before: Segment[] }
  | { kind: 'added'; right: number; after: Segment[] }

/** Texts with more differences than this are shown as replaced: the search takes time that grows with its square. */
const mostEdits = 2_000
/** Lines with less in common than this are shown as removed and added. */
const leastAlike = 0.4

type Edit = { kind: 'same' | 'removed' | 'added'; left: number; right: number }

/** The rows of two texts side by side. */
export function compareTexts(before: string, after: string): Row[] {
  const left = before.split('\n')
  const right = after.split('\n')
  const rows: Row[] = []
  let removed: number[] = []
  let added: number[] = []
  const flush = () => {
    rows.push(...pair(left, right, removed, added))
    removed = []
    added = []
  }
  for (const edit of editsOf(left, right)) {
    if (edit.kind === 'removed') removed.push(edit.left)
    else if (edit.kind === 'added') added.push(edit.right)
    else {
      flush()
      rows.push({ kind: 'same', left: edit.left + 1, right: edit.right + 1, text: left[edit.left]! })
    }
  }
  flush()
  return rows
}

/** Lines that were replaced stand beside those that replace them. */
function pair(left: string[], right: string[], removed: number[], added: number[]): Row[] {
  const rows: Row[] = []
  for (let i = 0; i < Math.max(removed.length, added.length); i++) {
    const [from, to] = [removed[i], added[i]]
    const words = from === undefined || to === undefined ? null : compareWords(left[from]!, right[to]!)
    if (words) {
      rows.push({ kind: 'changed', left: from! + 1, right: to! + 1, ...words })
      continue
    }
    if (from !== undefined) rows.push({ kind: 'removed', left: from + 1, before: whole(left[from]!) })
    if (to !== undefined) rows.push({ kind: 'added', right: to + 1, after: whole(right[to]!) })
  }
  return rows
}

const whole = (text: string): Segment[] => [{ text, isChanged: true }]

/** The words of two lines; null if they have little in common. */
export function compareWords(before: string, after: string): { before: Segment[]; after: Segment[] } | null {
  const left = wordsOf(before)
  const right = wordsOf(after)
  const edits = editsOf(left, right)
  const alike = edits.reduce((sum, { kind, left: i }) => sum + (kind === 'same' ? left[i]!.length : 0), 0)
  if (alike < leastAlike * Math.min(before.length, after.length)) return null
  return {
    before: join(edits.filter(({ kind }) => kind !== 'added').map((e) => segment(left[e.left]!, e))),
    after: join(edits.filter(({ kind }) => kind !== 'removed').map((e) => segment(right[e.right]!, e))),
  }
}

const wordsOf = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

const segment = (text: string, { kind }: Edit): Segment => ({ text, isChanged: kind !== 'same' })

const join = (segments: Segment[]): Segment[] =>
  segments.reduce<Segment[]>((joined, each) => {
    const last = joined.at(-1)
    if (last?.isChanged === each.isChanged) last.text += each.text
    else joined.push({ ...each })
    return joined
  }, [])

/** The shortest way from one list to the other (E. Myers, 1986). */
function editsOf(left: string[], right: string[]): Edit[] {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start++
  let end = 0
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end++
  const same = (i: number, j: number): Edit => ({ kind: 'same', left: i, right: j })
  const middle = shortest(left.slice(start, left.length - end), right.slice(start, right.length - end))
  return [
    ...Array.from({ length: start }, (_, i) => same(i, i)),
    ...middle.map((edit) => ({ ...edit, left: edit.left + start, right: edit.right + start })),
    ...Array.from({ length: end }, (_, i) => same(left.length - end + i, right.length - end + i)),
  ]
}

function shortest(left: string[], right: string[]): Edit[] {
  const [n, m] = [left.length, right.length]
  const most = Math.min(n + m, mostEdits)
  const reach = new Int32Array(2 * most + 3)
  const centre = most + 1
  const history: Int32Array[] = []
  for (let d = 0; d <= most; d++) {
    history.push(reach.slice(centre - d - 1, centre + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && reach[centre + k - 1]! < reach[centre + k + 1]!)
      let x = isDown ? reach[centre + k + 1]! : reach[centre + k - 1]! + 1
      while (x < n && x - k < m && left[x] === right[x - k]) x++
      reach[centre + k] = x
      if (x >= n && x - k >= m) return walkBack(history, n, m)
    }
  }
  return [
    ...left.map((_, i): Edit => ({ kind: 'removed', left: i, right: 0 })),
    ...right.map((_, i): Edit => ({ kind: 'added', left: n, right: i })),
  ]
}

/** Follows the way back from the end of both lists. Each entry has the reach before its step, from `-d - 1` on. */
function walkBack(history: Int32Array[], n: number, m: number): Edit[] {
  const edits: Edit[] = []
  let [x, y] = [n, m]
  for (let d = history.length - 1; d >= 0; d--) {
    const at = (k: number) => history[d]![k + d + 1]!
    const k = x - y
    const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const fromX = d === 0 ? 0 : isDown ? at(k + 1) : at(k - 1)
    const snakeX = d === 0 ? 0 : isDown ? fromX : fromX + 1
    while (x > snakeX) edits.push({ kind: 'same', left: --x, right: --y })
    if (d > 0)
      edits.push(isDown ? { kind: 'added', left: x, right: --y } : { kind: 'removed', left: --x, right: y })
  }
  return edits.reverse()
}
