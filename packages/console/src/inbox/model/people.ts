import type { Conversation, EndUser } from '@backline/sdk'
import { useMemo } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

type Named = Pick<EndUser, 'name' | 'emails' | 'phones' | 'external_id'>

/** The name, or what else tells who the person is; null for a visitor whom nobody knows. */
export const nameOfEndUser = (person: Named | null | undefined): string | null =>
  person?.name ?? person?.emails[0]?.address ?? person?.phones[0] ?? person?.external_id ?? null

export const nameOfPerson = (conversation: Conversation): string | null =>
  nameOfEndUser(conversation.end_user) ?? conversation.external_user_id

export function useOperators() {
  const { backline } = useEnvironment()
  return useAll(['operators'], () => backline.operators.list({ limit: 100 }))
}

export function useDepartments() {
  const { backline } = useEnvironment()
  return useAll(['departments'], () => backline.departments.list({ limit: 100 }))
}

/** Names by id; undefined for what is archived or cannot be read. */
export function useNames(
  items: { id: string; name: string }[] | undefined,
): (id: string | null) => string | undefined {
  return useMemo(() => {
    const names = new Map(items?.map(({ id, name }) => [id, name]))
    return (id) => (id === null ? undefined : names.get(id))
  }, [items])
}

export const useOperatorNames = () => useNames(useOperators().data)
export const useDepartmentNames = () => useNames(useDepartments().data)
