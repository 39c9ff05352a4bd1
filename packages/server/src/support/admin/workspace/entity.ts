import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Workspace, workspaceTable } from './queries.ts'
import { workspaceWire } from './schema.ts'

export const workspaces: Entity<Workspace> = {
  type: 'workspace',
  prefix: declareIds('workspace', 'ws'),
  table: workspaceTable,
  wire: workspaceWire,
}
