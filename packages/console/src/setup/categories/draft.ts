import type { Category } from '@backline/sdk'

export type CategoryDraft = {
  name: string
  parent_id: string | null
  description: string
  default_department_id: string | null
  default_priority: Category['default_priority']
  public: boolean
}
