import { lazy } from 'react'
import type { IconName } from '../design/Icon.tsx'
import type { texts } from './texts.ts'

/** An area of the console. Its code is loaded when it is first opened. */
export type Area = {
  path: string
  label: keyof typeof texts
  icon: IconName
  shortcut: string
  /** A scope without which the area is not offered. */
  scope: string
  Page: React.ComponentType
}

/** The design system. A command opens it; it is in no navigation. */
export const Showcase = lazy(() =>
  import('../design/Showcase.tsx').then(({ Showcase: Page }) => ({ default: Page })),
)

export const areas: Area[] = [
  {
    path: 'inbox',
    label: 'inbox',
    icon: 'inbox',
    shortcut: 'g i',
    scope: 'conversations:read',
    Page: lazy(() => import('../inbox/Inbox.tsx').then(({ Inbox }) => ({ default: Inbox }))),
  },
  {
    path: 'knowledge',
    label: 'knowledge',
    icon: 'book',
    shortcut: 'g k',
    scope: 'kb:read',
    Page: lazy(() => import('../knowledge/Knowledge.tsx').then(({ Knowledge }) => ({ default: Knowledge }))),
  },
  {
    path: 'setup',
    label: 'setup',
    icon: 'sliders',
    shortcut: 'g s',
    scope: 'macros:write',
    Page: lazy(() => import('../setup/Setup.tsx').then(({ Setup }) => ({ default: Setup }))),
  },
  {
    path: 'engineering',
    label: 'engineering',
    icon: 'code',
    shortcut: 'g e',
    scope: 'api_keys:read',
    Page: lazy(() =>
      import('../engineering/Engineering.tsx').then(({ Engineering }) => ({ default: Engineering })),
    ),
  },
]
