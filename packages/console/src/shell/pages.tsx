import type { ComponentType, ReactNode } from 'react'
import { lazyComponent, lazyModule } from '../app/lazy.tsx'
import type { EnvironmentName } from '../data/client.ts'
import type { Environment, Scope } from '../data/environment.tsx'
import type { IconName } from '../design/Icon.tsx'
import { Loading } from '../design/States.tsx'
import type { pageTexts } from '../texts/pages.ts'

/*
 * The pages of the console: navigation, command palette and routes read this table. The code of an area is loaded when
 * one of its pages is first shown.
 */

export type Entry = {
  /** In the address, and the name of the text: areas are below the environment, pages below their area. */
  path: keyof typeof pageTexts
  icon: IconName
  /** Scopes without which it is not offered. */
  scopes: Scope[]
  /** The only environment that has it. */
  only?: EnvironmentName
}

type Page = Entry & {
  /** The heading in the navigation under which it stands, with those that follow it. */
  heading?: keyof typeof pageTexts
  /** A list, say. It stays while another of its objects is opened. */
  Page: ComponentType<{ id: string | undefined }>
  /** The pages of one object, by the pattern of the address below `path`. */
  items?: Record<string, ComponentType<ItemProps>>
}

export type ItemProps = { id: string; delivery?: string | undefined }

export type Area = Entry & {
  shortcut: string
  /** Loads the code before it is needed. */
  load(): Promise<void>
  pages: Page[]
  /** Stands around all pages; or in place of them, if it has a navigation of its own. */
  Frame?: ComponentType<{ children: ReactNode }>
}

const loading = <Loading lines={6} />
const inbox = lazyModule(() => import('../inbox/Inbox.tsx'), loading)
const people = lazyModule(() => import('../people/pages.ts'), loading)
const team = lazyModule(() => import('../team/Team.tsx'), loading)
const knowledge = lazyModule(() => import('../knowledge/pages.ts'), loading)
const setup = lazyModule(() => import('../setup/pages.ts'), loading)
const engineering = lazyModule(() => import('../engineering/pages.ts'), loading)

/** The design system. A command opens it; it is in no navigation. */
export const Showcase = lazyComponent(async () => (await import('../design/Showcase.tsx')).Showcase, loading)

const knowledgePages: Page[] = [
  {
    path: 'articles',
    icon: 'book',
    scopes: ['kb:read'],
    Page: knowledge((m) => m.ArticlesPage),
    items: {
      '/:id': knowledge((m) => m.EditorPage),
      '/:id/versions': knowledge((m) => m.VersionsPage),
    },
  },
  {
    path: 'faqs',
    icon: 'note',
    scopes: ['faqs:read'],
    Page: knowledge((m) => m.FaqsPage),
    items: { '/:id': knowledge((m) => m.FaqPage) },
  },
  { path: 'helpful', icon: 'star', scopes: ['kb:read'], Page: knowledge((m) => m.HelpfulPage) },
  { path: 'searches', icon: 'search', scopes: ['kb:read'], Page: knowledge((m) => m.SearchesPage) },
]

const setupPages: Page[] = [
  { path: 'operators', icon: 'users', scopes: ['operators:write'], Page: setup((m) => m.Operators) },
  { path: 'departments', icon: 'building', scopes: ['departments:write'], Page: setup((m) => m.Departments) },
  { path: 'tags', icon: 'tag', scopes: ['tags:write'], Page: setup((m) => m.Tags) },
  { path: 'categories', icon: 'list', scopes: ['categories:write'], Page: setup((m) => m.Categories) },
  { path: 'hold_reasons', icon: 'pause', scopes: ['hold_reasons:write'], Page: setup((m) => m.HoldReasons) },
  { path: 'sla_configs', icon: 'clock', scopes: ['sla_configs:write'], Page: setup((m) => m.SlaConfigs) },
  { path: 'macros', icon: 'bolt', scopes: ['macros:write'], Page: setup((m) => m.Macros) },
  {
    path: 'message_templates',
    icon: 'template',
    scopes: ['message_templates:write'],
    Page: setup((m) => m.Templates),
  },
  {
    path: 'custom_fields',
    icon: 'field',
    scopes: ['custom_fields:write'],
    Page: setup((m) => m.CustomFields),
  },
  { path: 'views', icon: 'view', scopes: ['views:write'], Page: setup((m) => m.Views) },
  { path: 'workspace', icon: 'sliders', scopes: ['workspace:write'], Page: setup((m) => m.WorkspacePage) },
  {
    path: 'mailboxes',
    icon: 'mail',
    scopes: ['mailboxes:read'],
    heading: 'email',
    Page: setup((m) => m.Mailboxes),
    items: { '/:id': setup((m) => m.MailboxPage) },
  },
  {
    path: 'inbound_emails',
    icon: 'inbox',
    scopes: ['inbound_emails:read'],
    Page: setup((m) => m.InboundEmails),
  },
  {
    path: 'email_suppressions',
    icon: 'shield',
    scopes: ['mailboxes:read'],
    Page: setup((m) => m.Suppressions),
  },
  {
    path: 'exports',
    icon: 'external',
    scopes: ['jobs:write', 'events:read'],
    heading: 'data',
    Page: setup((m) => m.Exports),
  },
  { path: 'imports', icon: 'folder', scopes: ['jobs:write'], Page: setup((m) => m.Imports) },
  { path: 'jobs', icon: 'history', scopes: ['jobs:read'], Page: setup((m) => m.Jobs) },
  {
    path: 'retention_policies',
    icon: 'trash',
    scopes: ['erasure:write'],
    Page: setup((m) => m.Retention),
  },
  { path: 'erasures', icon: 'shield', scopes: ['erasure:read'], Page: setup((m) => m.Erasures) },
]

const Endpoint = engineering((m) => m.Endpoint)

const engineeringPages: Page[] = [
  { path: 'overview', icon: 'heart', scopes: [], Page: engineering((m) => m.Overview) },
  {
    path: 'events',
    icon: 'list',
    scopes: ['events:read', 'audit_log:read'],
    Page: engineering((m) => m.Events),
  },
  {
    path: 'requests',
    icon: 'external',
    scopes: ['request_log:read'],
    Page: engineering((m) => m.Requests),
  },
  {
    path: 'webhooks',
    icon: 'webhook',
    scopes: ['webhook_endpoints:read'],
    Page: engineering((m) => m.Endpoints),
    items: { '/:id': Endpoint, '/:id/deliveries/:delivery': Endpoint },
  },
  { path: 'keys', icon: 'key', scopes: ['api_keys:read'], Page: engineering((m) => m.Keys) },
  { path: 'audit', icon: 'shield', scopes: ['audit_log:read'], Page: engineering((m) => m.AuditLog) },
  {
    path: 'clock',
    icon: 'clock',
    scopes: ['workspace:read'],
    only: 'test',
    Page: engineering((m) => m.TestClock),
  },
]

export const areas: [Area, ...Area[]] = [
  {
    path: 'inbox',
    icon: 'inbox',
    shortcut: 'g i',
    scopes: ['conversations:read'],
    load: inbox.load,
    pages: [],
    Frame: inbox((m) => m.Inbox),
  },
  {
    path: 'people',
    icon: 'users',
    shortcut: 'g p',
    scopes: ['end_users:read'],
    load: people.load,
    pages: [],
    Frame: people((m) => m.People),
  },
  {
    path: 'companies',
    icon: 'building',
    shortcut: 'g c',
    scopes: ['companies:read'],
    load: people.load,
    pages: [],
    Frame: people((m) => m.Companies),
  },
  {
    path: 'team',
    icon: 'heart',
    shortcut: 'g t',
    scopes: ['operators:read'],
    load: team.load,
    pages: [],
    Frame: team((m) => m.Team),
  },
  {
    path: 'knowledge',
    icon: 'book',
    shortcut: 'g k',
    scopes: ['kb:read'],
    load: knowledge.load,
    pages: knowledgePages,
    Frame: knowledge((m) => m.LiveKnowledge),
  },
  {
    path: 'setup',
    icon: 'sliders',
    shortcut: 'g s',
    scopes: ['macros:write'],
    load: setup.load,
    pages: setupPages,
  },
  {
    path: 'engineering',
    icon: 'code',
    shortcut: 'g e',
    scopes: ['api_keys:read'],
    load: engineering.load,
    pages: engineeringPages,
  },
]

export const isOffered = ({ scopes, only }: Entry, { name, can }: Environment): boolean =>
  scopes.every(can) && (only === undefined || only === name)

/** The area of an address, relative to the console: `/live/inbox/open`. Others lead to the inbox. */
export function areaAt(path: string): Area {
  const [, , name] = path.split('/')
  return areas.find((area) => area.path === name) ?? areas[0]
}
