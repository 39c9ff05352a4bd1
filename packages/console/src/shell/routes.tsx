import { deferred } from '../app/deferred.tsx'
import type { IconName } from '../design/Icon.tsx'
import { Loading } from '../design/States.tsx'
import type { texts } from './texts.ts'

/** An area of the console. Its code is loaded when it is first opened. */
export type Area = {
  path: string
  label: keyof typeof texts
  icon: IconName
  shortcut: string
  /** A scope without which the area is not offered. */
  scope: string
  Page: ReturnType<typeof page>
}

const page = (read: () => Promise<React.ComponentType>) => deferred(read, <Loading lines={6} />)

/** The design system. A command opens it; it is in no navigation. */
export const Showcase = page(async () => (await import('../design/Showcase.tsx')).Showcase)

export const areas: Area[] = [
  {
    path: 'inbox',
    label: 'inbox',
    icon: 'inbox',
    shortcut: 'g i',
    scope: 'conversations:read',
    Page: page(async () => (await import('../inbox/Inbox.tsx')).Inbox),
  },
  {
    path: 'knowledge',
    label: 'knowledge',
    icon: 'book',
    shortcut: 'g k',
    scope: 'kb:read',
    Page: page(async () => (await import('../knowledge/Knowledge.tsx')).Knowledge),
  },
  {
    path: 'setup',
    label: 'setup',
    icon: 'sliders',
    shortcut: 'g s',
    scope: 'macros:write',
    Page: page(async () => (await import('../setup/Setup.tsx')).Setup),
  },
  {
    path: 'engineering',
    label: 'engineering',
    icon: 'code',
    shortcut: 'g e',
    scope: 'api_keys:read',
    Page: page(async () => (await import('../engineering/Engineering.tsx')).Engineering),
  },
]

/** The area of an address, relative to the console: `/live/inbox/open`. Others lead to the inbox. */
export function areaAt(path: string): Area {
  const [, , name] = path.split('/')
  return areas.find((area) => area.path === name) ?? areas[0]!
}
