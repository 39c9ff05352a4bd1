import { declareIds } from '../../platform/kernel/ids.ts'
import type { Entity } from '../../platform/unit-of-work/entity.ts'
import { type FileRow, fileTable } from './queries.ts'
import { fileWire } from './schema.ts'

const events = ['file.created', 'file.ready', 'file.rejected', 'file.deleted'] as const

export const files: Entity<FileRow, (typeof events)[number]> = {
  type: 'file',
  prefix: declareIds('file', 'file'),
  events,
  table: fileTable,
  wire: fileWire,
  audited: ['content_type', 'size_bytes', 'sha256', 'status'],
  unshown: ['conversation_id', 'in_knowledge_base', 'use_count', 'copy'],
}
