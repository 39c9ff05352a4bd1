import { words } from '../../../platform/kernel/words.ts'
import { declarationsOf } from './styles.ts'

const properties = new Set(
  words(`
    background background-color color direction display float clear font font-family font-size font-style font-variant
    font-weight height letter-spacing line-height list-style list-style-type margin margin-bottom margin-left
    margin-right margin-top max-height max-width min-height min-width opacity overflow overflow-wrap padding
    padding-bottom padding-left padding-right padding-top table-layout text-align text-decoration text-indent
    text-transform unicode-bidi vertical-align visibility white-space width word-break word-spacing word-wrap
    border border-collapse border-color border-radius border-spacing border-style border-width border-bottom
    border-bottom-color border-bottom-style border-bottom-width border-left border-left-color border-left-style
    border-left-width border-right border-right-color border-right-style border-right-width border-top
    border-top-color border-top-style border-top-width border-top-left-radius border-top-right-radius
    border-bottom-left-radius border-bottom-right-radius`),
)

/** Values without escapes, comments and rules. */
const plainValue = /^[\p{L}\p{N}\s#.,%'"!+/_()-]*$/u
/** The functions that load nothing, in front of their parenthesis. */
const harmless = /(?:^|[\s,])(?:rgb|rgba|hsl|hsla|calc)$/

/** Longer attributes are no style that somebody wrote for a mail. */
const maxStyle = 10_000

/** The declarations of a `style` attribute that load nothing and leave the element in its place. */
export function safeStyle(style: string): string {
  if (style.length > maxStyle) return ''
  return declarationsOf(style)
    .entries()
    .filter(([property, value]) => properties.has(property) && isHarmless(value))
    .map(([property, value]) => `${property}:${value}`)
    .toArray()
    .join(';')
}

const isHarmless = (value: string): boolean =>
  plainValue.test(value) &&
  !value.includes('/*') &&
  value
    .split('(')
    .slice(0, -1)
    .every((before) => harmless.test(before.slice(-8)))
