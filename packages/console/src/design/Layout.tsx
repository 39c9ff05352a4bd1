import type { ComponentProps, ElementType, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import styles from './Layout.module.css'

/*
 * How the parts of a page stand to each other. All distances are tokens; a page has CSS of its own only for what it
 * alone has.
 */

type PartProps<Tag extends ElementType> = ComponentProps<Tag> & { as?: Tag }
type Gap = 0 | 'half' | 1 | 2 | 3 | 4 | 6

type StackProps<Tag extends ElementType> = PartProps<Tag> & { gap?: Gap }

/** Below each other. An empty one takes no place. */
export function Stack<Tag extends ElementType = 'div'>({ as, gap = 2, ...rest }: StackProps<Tag>) {
  return part(as ?? 'div', rest, styles.stack, styles[`gap-${gap}`])
}

type RowProps<Tag extends ElementType> = StackProps<Tag> & {
  wraps?: boolean
  align?: 'start' | 'end'
  justify?: 'between' | 'center' | 'end'
}

/** Beside each other, centred by default. */
export function Row<Tag extends ElementType = 'div'>({
  as,
  gap = 2,
  wraps = false,
  align,
  justify,
  ...rest
}: RowProps<Tag>) {
  const looks = [wraps && styles.wraps, align && styles[align], justify && styles[`justify-${justify}`]]
  return part(as ?? 'div', rest, styles.row, styles[`gap-${gap}`], ...looks)
}

/** Beside each other, as many as there is room for: each at least as wide as `least`, all of the same width. */
export function Columns<Tag extends ElementType = 'div'>({
  as,
  gap = 3,
  least,
  ...rest
}: StackProps<Tag> & { least: string }) {
  return part(as ?? 'div', { ...rest, style: { '--least': least } }, styles.columns, styles[`gap-${gap}`])
}

/** A stack in a frame. */
export function Card<Tag extends ElementType = 'div'>({ as, gap = 3, ...rest }: StackProps<Tag>) {
  return part(as ?? 'div', rest, styles.stack, styles[`gap-${gap}`], styles.card)
}

/** Controls that filter a list: the first one, of the search, is the widest. */
export const FilterRow = (props: ComponentProps<'search'>) => (
  <Row as="search" wraps {...props} className={styles.filters} />
)

/** A framed list, with a line between its items. */
export function FramedList<Tag extends ElementType = 'ul'>({ as, ...rest }: PartProps<Tag>) {
  return part(as ?? 'ul', rest, styles.list)
}

/** Text of less importance. `<small>` is quiet too. */
export function Quiet<Tag extends ElementType = 'span'>({ as, ...rest }: PartProps<Tag>) {
  return part(as ?? 'span', rest, styles.quiet)
}

/** A text in one or two lines, which ends in "…" where it has no room. In a row it takes all the room that is left. */
export function Truncated<Tag extends ElementType = 'span'>({
  as,
  lines = 1,
  ...rest
}: PartProps<Tag> & { lines?: 1 | 2 }) {
  return part(as ?? 'span', rest, lines === 1 ? styles.truncated : styles.clamped)
}

type NoticeProps<Tag extends ElementType> = PartProps<Tag> & {
  tone: 'good' | 'warn' | 'bad' | 'info' | 'note' | 'plain'
  icon?: IconName
}

/** A coloured box: for something to know before going on, or a text that somebody has written. */
export function Notice<Tag extends ElementType = 'div'>({
  as,
  tone,
  icon,
  children,
  ...rest
}: NoticeProps<Tag>) {
  const content = icon ? [<Icon key="icon" name={icon} />, <div key="text">{children}</div>] : children
  return part(as ?? 'div', { ...rest, children: content }, styles.notice, styles[tone], icon && styles.icon)
}

type Props = { className?: string; style?: object; children?: ReactNode }

function part(Element: ElementType, props: Props, ...own: (string | false | undefined)[]) {
  return <Element {...props} className={classes(...own, props.className)} />
}
