import { condense, type Segment } from './segments.ts'

/** A segment with its place on the line. */
export type Placed = Segment & {
  x: number
  width: number
  /** Shorter on the line than its time would be: a long gap in which nothing counted. */
  isCompressed: boolean
}

export type Scale = { placed: Placed[]; xOf(ms: number): number; msOf(x: number): number }

/** Widths in pixels below which a segment cannot be seen, or a break in the line not be drawn. */
const leastWidth = 2
export const breakWidth = 9
/** The share of the counted time that all gaps together may take, and one of them alone. */
const mostOfGaps = 0.6
const mostOfGap = 0.2
/** The room for time after the target, as a multiple of the time until then. */
const mostOver = 1

/** True for time that counts, and for what was left of the target. */
const isToScale = ({ countedMs, weightMs }: Segment): boolean => countedMs > 0 || weightMs !== undefined

const isOver = ({ kind, level }: Segment): boolean => kind === 'in_schedule' && level === 'over'

const lengthOf = ({ fromMs, toMs }: Segment): number => toMs - fromMs

const sumOf = (segments: Segment[]): number =>
  segments.reduce((sum, each) => sum + (each.weightMs ?? lengthOf(each)), 0)

/**
 * Places segments on a line of that width. Counted time is drawn to scale; gaps that are long in comparison are
 * compressed, so that nights and weekends leave room for what counts. So is time long after the target.
 */
export function scaleOf(all: Segment[], width: number): Scale {
  const segments = condense(all, Math.max(Math.floor(width / 6), 8))
  const drawn = segments.filter(isToScale)
  const gaps = segments.length - drawn.length
  const countedMs = sumOf(drawn)
  const overMs = sumOf(drawn.filter(isOver))
  const shareOfOver = Math.min((Math.max(countedMs - overMs, 1) * mostOver) / Math.max(overMs, 1), 1)
  const cap = countedMs === 0 ? Infinity : countedMs * Math.min(mostOfGap, mostOfGaps / Math.max(gaps, 1))
  const leastOfGap = Math.min(breakWidth, (width * 0.35) / Math.max(gaps, 1))
  const measured = segments.map((each) => {
    const most =
      each.weightMs ?? (isOver(each) ? lengthOf(each) * shareOfOver : isToScale(each) ? Infinity : cap)
    const isCompressed = lengthOf(each) > most * 1.05
    return {
      each,
      isCompressed,
      weight: Math.min(lengthOf(each), most),
      least: isCompressed ? leastOfGap : leastWidth,
    }
  })
  const total = measured.reduce((sum, { weight }) => sum + weight, 0) || 1
  const free = Math.max(width - measured.reduce((sum, { least }) => sum + least, 0), 0)
  let x = 0
  const placed = measured.map(({ each, isCompressed, weight, least }) => {
    const at = x
    x += least + (free * weight) / total
    return { ...each, x: at, width: x - at, isCompressed }
  })
  return {
    placed,
    xOf(ms) {
      const found = placed.find(({ toMs }) => ms <= toMs) ?? placed.at(-1)
      if (!found) return 0
      const share = (ms - found.fromMs) / Math.max(lengthOf(found), 1)
      return found.x + Math.min(Math.max(share, 0), 1) * found.width
    },
    msOf(at) {
      const found = placed.find((each) => at <= each.x + each.width) ?? placed.at(-1)
      if (!found) return 0
      return found.fromMs + Math.min(Math.max((at - found.x) / found.width, 0), 1) * lengthOf(found)
    },
  }
}
