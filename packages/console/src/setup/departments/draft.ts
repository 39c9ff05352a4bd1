import type { Department } from '@backline/sdk'

export type DepartmentDraft = {
  name: string
  description: string
  email: string
  public: boolean
  assignment: Department['assignment']
  fallback_department_id: string | null
  default_sla_config_id: string | null
}
