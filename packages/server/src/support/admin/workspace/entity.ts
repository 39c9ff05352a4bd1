import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Workspace, workspaceTable } from './queries.ts'
import { workspaceWire } from './schema.ts'

const events = ['workspace.updated'] as const

export const workspaces: Entity<Workspace, (typeof events)[number]> = {
  type: 'workspace',
  prefix: declareIds('workspace', 'ws'),
  events,
  table: workspaceTable,
  wire: workspaceWire,
}
