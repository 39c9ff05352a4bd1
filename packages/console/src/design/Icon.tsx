import { classes } from './classes.ts'
import styles from './Icon.module.css'

/** Shapes on a grid of 16 by 16, drawn as lines. */
const shapes = {
  bell: 'M2.500 12h11l-1.500-2V7a4 4 0 0 0-8 0v3zm4 0v.5a1.500 1.500 0 0 0 3 0V12',
  inbox: 'M2 9.500h3.500l1 2h3l1-2H14M3.500 3h9l1.500 6.500V13H2V9.500z',
  book: 'M8 4c-1.500-1-3.500-1.500-6-1.500v10c2.500 0 4.500.500 6 1.500 1.500-1 3.500-1.500 6-1.500v-10C11.500 2.500 9.500 3 8 4zm0 0v10',
  sliders: 'M2 4.500h7m3 0h2M2 11.500h2m3 0h7M10.500 3v3M5.500 10v3',
  code: 'M5.500 4 1.500 8l4 4m5-8 4 4-4 4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.500-1.500L14 14',
  mail: 'M2 3.500h12v9H2zm0 .500 6 5 6-5',
  plus: 'M8 3v10M3 8h10',
  check: 'm3 8.500 3.500 3.500L13 4.500',
  close: 'm4 4 8 8m0-8-8 8',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  send: 'M2 8 14 2.500 10.500 14 8 9zm6 1 6-6.500',
  note: 'M3 2.500h10v7L9.500 13.500H3zm10 7H9.500v4',
  calendar: 'M2.500 3.500h11v10h-11zm0 3h11M5.500 1.800v3m5-3v3',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zm0-9.500V8l2.500 1.500',
  pause: 'M5.500 3.500v9m5-9v9',
  play: 'M4.500 3v10l8-5z',
  user: 'M8 8a2.750 2.750 0 1 0 0-5.500A2.750 2.750 0 0 0 8 8zm-5.500 6c.500-3 2.500-4.500 5.500-4.500s5 1.500 5.500 4.500',
  users:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zm-4.500 5.500c.300-2.700 2-4 4.500-4s4.200 1.300 4.500 4M10.500 3.200a2.400 2.400 0 0 1 0 4.600m1.500 2c1.500.500 2.300 1.700 2.500 3.700',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zm3 3h.01',
  merge: 'M4 2.500v3c0 2.500 4 2.500 4 5v3m4-11v3c0 2.500-4 2.500-4 5',
  arrowLeft: 'M13 8H3m4-4L3 8l4 4',
  arrowRight: 'M3 8h10m-4 4 4-4-4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  arrowDown: 'M8 3v10m-4-4 4 4 4-4',
  chevronDown: 'm4 6 4 4 4-4',
  chevronRight: 'm6 4 4 4-4 4',
  attach:
    'm13 7.500-5.500 5.500a3.200 3.200 0 0 1-4.500-4.500l5.500-5.500a2.200 2.200 0 0 1 3 3L6 11.500a1 1 0 0 1-1.500-1.500L9 5.500',
  bolt: 'M9 1.500 3 9h4.500L7 14.500 13 7H8.500z',
  key: 'M10.500 9a3.500 3.500 0 1 0-3.300-2.300L2 12v2h2.500v-1.500H6V11h1.500l1-1.300c.600.200 1.300-.7 2-.7zm.5-3.500h.01',
  webhook:
    'M8 5.500a2 2 0 1 1 2-2m-2 2-2.500 5m2.500-5 2.500 5M5.500 10.500a2 2 0 1 1-2-2m2 2h5m0 0a2 2 0 1 1 2 2',
  bold: 'M4.500 2.500h4.250a2.750 2.750 0 0 1 0 5.500H4.500zm0 5.500h5a2.750 2.750 0 0 1 0 5.500h-5z',
  italic: 'M6.500 2.500h5m-7 11h5M9 2.500l-2.500 11',
  heading: 'M3.500 2.500v11m9-11v11m-9-5.500h9',
  link: 'M6.500 9.500a2.750 2.750 0 0 0 4 0l2.500-2.500a2.830 2.830 0 0 0-4-4l-1 1m1.500 2.500a2.750 2.750 0 0 0-4 0L3 9a2.830 2.830 0 0 0 4 4l1-1',
  numbers:
    'M7 4h7M7 8h7M7 12h7M2.500 3l1-.500V6M2.500 9.500c.500-.700 1.700-.500 1.700.300 0 .900-1.700 1.400-1.700 2.700h1.800',
  quote: 'M3 3v10m3.500-9H14M6.500 8H14m-7.500 4h5',
  smile:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM5.500 9.500c1.300 1.800 3.700 1.800 5 0M6 6.500h.01M10 6.500h.01',
  image: 'M2 3h12v10H2zm0 8 3.500-3.500 3 3L11 8l3 3M10.500 6h.01',
  history: 'M2.500 8A5.500 5.500 0 1 0 4 4.200L2.500 5.500m0-3v3h3M8 5v3.300l2 1.200',
  compare:
    'M2 3h4.500v10H2zm7.500 0H14v10H9.500zM3.500 6h1.500m-1.500 2.500h1.500m6-2.500h1.500m-1.500 2.500h1.500',
  list: 'M5.500 4H14M5.500 8H14M5.500 12H14M2.500 4h.01M2.500 8h.01M2.500 12h.01',
  shield: 'M8 1.500 13.500 3.500v4c0 3.500-2.500 5.500-5.500 7-3-1.500-5.500-3.500-5.500-7v-4z',
  heart: 'M1.500 8.500H5l1.500-4 3 7L11 8.500h3.500',
  building: 'M3 14V2.500h6.500V14m0-8H13v8M1.500 14h13M5.500 5h1.500m-1.500 3h1.500m-1.500 3h1.500',
  folder: 'M2 4.500v8h12v-7H8l-1.500-1.500H2z',
  template: 'M2.500 2.500h11v11h-11zm0 3.500h11M6 6v7.500',
  field: 'M2 5h12v6H2zm3 1.500v3',
  view: 'M1.500 8C3 5 5.200 3.500 8 3.500S13 5 14.500 8C13 11 10.800 12.500 8 12.500S3 11 1.500 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.500v1m0 11v1m6.500-6.500h-1m-11 0h-1m11.100-4.600-.7.700m-7.800 7.800-.7.700m9.200 0-.7-.7M4.100 4.100l-.7-.7',
  moon: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z',
  external: 'M9 2.500h4.500V7m0-4.500-6 6M6.500 3.500h-4v10h10v-4',
  refresh: 'M13 5.500A5.500 5.500 0 1 0 13.500 8M13.500 2.500v3.300h-3.300',
  warning: 'M8 2 14.500 13.500h-13zm0 4.500v3m0 2h.01',
  trash: 'M2.500 4.500h11m-7.500 0v-2h4v2m-5.500 0 .5 9h6l.5-9',
  edit: 'M2.500 13.500 3 10.500l7.500-7.500 2.500 2.500L5.500 13z',
  menu: 'M2 4h12M2 8h12M2 12h12',
  signOut: 'M6 2.500H2.500v11H6M10 5l3 3-3 3m3-3H6',
  copy: 'M5.500 5.500h8v8h-8zm-3 5v-8h8',
  filter: 'M2 3.500h12L9.500 9v4.500l-3-1.500V9z',
  at: 'M10.500 8a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zm0-2.500v3.500c0 2 3 2 3-1A5.500 5.500 0 1 0 11 12.600',
  keyboard:
    'M1.500 4h13v8.500h-13zM4 6.500h.01M6.700 6.500h.01M9.300 6.500h.01M12 6.500h.01M4 10h.01M6.500 10h3M12 10h.01',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c-4.500 3.500-4.500 8.500 0 12 4.500-3.500 4.500-8.500 0-12z',
  star: 'm8 2 1.800 3.800 4.200.500-3.100 2.900.800 4.100L8 11.300l-3.700 2 .800-4.100L2 6.300l4.200-.500z',
} satisfies Record<string, string>

export type IconName = keyof typeof shapes

export const iconNames = Object.keys(shapes) as IconName[]

/** Shapes that point along the text: mirrored where it runs from right to left. */
const pointing: ReadonlySet<IconName> = new Set([
  'arrowLeft',
  'arrowRight',
  'chevronRight',
  'external',
  'list',
  'numbers',
  'send',
  'signOut',
])

/** Decoration: what it says is also said by text. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className={classes(styles.icon, pointing.has(name) && styles.pointing)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
