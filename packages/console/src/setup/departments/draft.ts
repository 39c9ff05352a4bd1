import type { Department } from '@backline/sdk'

export type DepartmentDraft = {
  name: string
  description: string
  email: string
  public: boolean
  assignment: Department['assignment']
  claim_order: Department['claim_order']
  reply_assigns: boolean
  fallback_department_id: string | null
  default_sla_config_id: string | null
}
