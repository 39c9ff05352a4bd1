import { useEnvironment } from '../data/environment.tsx'
import { useAll } from '../data/lists.ts'
import type { Option } from '../design/Field.tsx'

/*
 * The configuration that forms refer to. Areas share these lists by their keys.
 */

const limit = 100

export function useOperators() {
  const { backline } = useEnvironment()
  return useAll(['operators'], () => backline.operators.list({ limit }))
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

export function useTemplates() {
  const { backline } = useEnvironment()
  return useAll(['message_templates'], () => backline.messageTemplates.list({ limit }))
}

export function useCustomFields() {
  const { backline } = useEnvironment()
  return useAll(['custom_fields'], () => backline.customFields.list({ limit }))
}

type Named = { id: string; name: string }

export const optionsOf = (items: Named[] | undefined): Option[] =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** The options of a tree, by their whole path. */
export const pathsOf = (items: { id: string; path: string[] }[] | undefined): Option[] =>
  (items ?? [])
    .map(({ id, path }) => ({ value: id, label: path.join(' › ') }))
    .sort((a, b) => a.label.localeCompare(b.label))

export const nameIn = (items: Named[] | undefined, id: string | null): string | undefined =>
  items?.find((each) => each.id === id)?.name
