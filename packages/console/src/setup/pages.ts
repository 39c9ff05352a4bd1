import type { ComponentType } from 'react'
import type { IconName } from '../design/Icon.tsx'
import { Categories } from './categories/Categories.tsx'
import { Departments } from './departments/Departments.tsx'
import { CustomFields } from './fields/CustomFields.tsx'
import { HoldReasons } from './holds/HoldReasons.tsx'
import { Macros } from './macros/Macros.tsx'
import { Operators } from './operators/Operators.tsx'
import { StatusBoard } from './operators/StatusBoard.tsx'
import { SlaConfigs } from './sla/SlaConfigs.tsx'
import { Tags } from './tags/Tags.tsx'
import { Templates } from './templates/Templates.tsx'
import type { texts } from './texts.ts'
import { Views } from './views/Views.tsx'

type SetupPage = {
  /** The path below the area, and the name of its text. */
  path: keyof typeof texts
  icon: IconName
  /** A scope without which the page is not offered. */
  scope: string
  Page: ComponentType
}

export const pages: SetupPage[] = [
  { path: 'statuses', icon: 'heart', scope: 'operators:read', Page: StatusBoard },
  { path: 'operators', icon: 'users', scope: 'operators:write', Page: Operators },
  { path: 'departments', icon: 'building', scope: 'departments:write', Page: Departments },
  { path: 'tags', icon: 'tag', scope: 'tags:write', Page: Tags },
  { path: 'categories', icon: 'list', scope: 'categories:write', Page: Categories },
  { path: 'hold_reasons', icon: 'pause', scope: 'hold_reasons:write', Page: HoldReasons },
  { path: 'sla_configs', icon: 'clock', scope: 'sla_configs:write', Page: SlaConfigs },
  { path: 'macros', icon: 'bolt', scope: 'macros:write', Page: Macros },
  { path: 'message_templates', icon: 'template', scope: 'message_templates:write', Page: Templates },
  { path: 'custom_fields', icon: 'field', scope: 'custom_fields:write', Page: CustomFields },
  { path: 'views', icon: 'view', scope: 'views:write', Page: Views },
]
