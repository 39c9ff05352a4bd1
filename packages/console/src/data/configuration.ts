import type { Operator } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Option } from '../design/Field.tsx'
import { useEnvironment } from './environment.tsx'
import { useAll } from './lists.ts'
import { useLiveEvents } from './live.tsx'
import { isChanging } from './ordered-changes.ts'
import { isThere } from './removals.ts'

/*
 * The lists of the configuration: what forms refer to by id, and what has a name. All areas share them.
 */

const limit = 100

const everyOperator = ['operators', 'with_archived']

/** Those who can be chosen, and those who are archived: their names stay on what they have done. */
export function useEveryOperator() {
  const { backline } = useEnvironment()
  return useAll(everyOperator, () => backline.operators.list({ limit, archived: 'true' }))
}

export function useOperators() {
  const every = useEveryOperator()
  const data = useMemo(() => every.data?.filter(({ archived }) => !archived), [every.data])
  return { ...every, data }
}

export function useDepartments() {
  const { backline } = useEnvironment()
  return useAll(['departments'], () => backline.departments.list({ limit }))
}

export function useTags() {
  const { backline } = useEnvironment()
  return useAll(['tags'], () => backline.tags.list({ limit }))
}

export function useCategories() {
  const { backline } = useEnvironment()
  return useAll(['categories'], () => backline.categories.list({ limit }))
}

export function useHoldReasons() {
  const { backline } = useEnvironment()
  return useAll(['hold_reasons'], () => backline.holdReasons.list({ limit }))
}

export function useSlaConfigs() {
  const { backline } = useEnvironment()
  return useAll(['sla_configs'], () => backline.slaConfigs.list({ limit }))
}

export function useMacros(isEnabled = true) {
  const { backline } = useEnvironment()
  return useAll(['macros'], () => backline.macros.list({ limit }), isEnabled)
}

export function useTemplates(isEnabled = true) {
  const { backline } = useEnvironment()
  return useAll(['message_templates'], () => backline.messageTemplates.list({ limit }), isEnabled)
}

/** Archived mailboxes, too: conversations and mails keep them. */
export function useEveryMailbox() {
  const { backline, can } = useEnvironment()
  return useAll(['mailboxes', 'with_archived'], async function* () {
    if (can('mailboxes:read')) yield* backline.mailboxes.list({ limit, archived: 'true' })
  })
}

/** Archived custom fields, too: objects keep their values. */
export function useEveryCustomField() {
  const { backline } = useEnvironment()
  return useAll(['custom_fields', 'with_archived'], () =>
    backline.customFields.list({ limit, archived: 'true' }),
  )
}

export function useCustomFields() {
  const every = useEveryCustomField()
  const data = useMemo(() => every.data?.filter(({ archived }) => !archived), [every.data])
  return { ...every, data }
}

export function useCompanies() {
  const { backline, can } = useEnvironment()
  return useAll(['companies', 'names'], async function* () {
    if (can('companies:read')) yield* backline.companies.list({ limit })
  })
}

/** The query keys of resources by their types, which are the part of event types before the dot. */
const pathOf: Record<string, string> = {
  operator: 'operators',
  department: 'departments',
  tag: 'tags',
  category: 'categories',
  hold_reason: 'hold_reasons',
  sla_config: 'sla_configs',
  macro: 'macros',
  message_template: 'message_templates',
  custom_field: 'custom_fields',
  view: 'views',
  mailbox: 'mailboxes',
  email_suppression: 'email_suppressions',
  api_key: 'api_keys',
  identity_key: 'identity_keys',
  console_session: 'console_sessions',
  invitation: 'invitations',
  notification_preferences: 'notification_preferences',
  webhook_endpoint: 'webhook_endpoints',
}

/** Reads the configuration again when somebody has changed it. */
export function useConfigurationEvents(): void {
  const cache = useQueryClient()
  useLiveEvents((event) => {
    if (event.type === 'operator.status_changed') {
      // Happens often, and changes one operator only.
      const operator = event.data.object as Operator
      cache.setQueryData<Operator>(['operators', operator.id], (known) => known && operator)
      for (const key of [['operators'], everyOperator])
        cache.setQueryData<Operator[]>(key, (all) =>
          all?.map((each) => (each.id === operator.id ? operator : each)),
        )
      return
    }
    const path = pathOf[event.type.split('.')[0]!]
    if (path && !isChanging(cache, [path]))
      void cache.invalidateQueries({ queryKey: [path], predicate: isThere })
  })
}

type Named = { id: string; name: string }

/** Names by id; undefined for what is not in the list or cannot be read. */
export function useNames(items: Named[] | undefined): (id: string | null) => string | undefined {
  return useMemo(() => {
    const names = new Map(items?.map(({ id, name }) => [id, name]))
    return (id) => (id === null ? undefined : names.get(id))
  }, [items])
}

export const useOperatorNames = () => useNames(useEveryOperator().data)
export const useDepartmentNames = () => useNames(useDepartments().data)

/** A mailbox is called by its address. */
export function useMailboxNames() {
  const { data } = useEveryMailbox()
  return useNames(useMemo(() => data?.map(({ id, address }) => ({ id, name: address })), [data]))
}

export const nameIn = (items: Named[] | undefined, id: string | null): string | undefined =>
  items?.find((each) => each.id === id)?.name

export const optionsOf = (items: Named[] | undefined): Option[] =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** The options with the one that is stored, which may be archived. */
export const withStored = (options: Option[], stored: string | null, label: string): Option[] =>
  stored === null || options.some(({ value }) => value === stored)
    ? options
    : [...options, { value: stored, label }]

/** The place of a category in its tree, in words. */
export const pathText = (path: string[]): string => path.join(' › ')

/** The options of a tree, by their whole path. */
export const pathsOf = (items: { id: string; path: string[] }[] | undefined): Option[] =>
  (items ?? [])
    .map(({ id, path }) => ({ value: id, label: pathText(path) }))
    .sort((a, b) => a.label.localeCompare(b.label))
