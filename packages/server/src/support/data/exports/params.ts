import type { FamilyName } from './families.ts'

export const formats = ['ndjson', 'csv'] as const
export const compressions = ['gzip', 'none'] as const

/** The params of an export. */
export type ExportParams = {
  objects: FamilyName[]
  filter: unknown
  format: (typeof formats)[number]
  compression: (typeof compressions)[number]
}

/** A part of the result: some or all objects of a family. */
export type ExportPart = { object: FamilyName; file_id: string; bytes: number }

export type ExportResult = {
  parts: ExportPart[]
  manifest: {
    objects: Partial<Record<FamilyName, { count: number; sha256: string }>>
    feed_cursor: string
  }
  snapshot_restarts: number
}

/** A snapshot lives in one process: after its end the export begins anew. */
export type ExportState = { hasBegun: boolean; restarts: number }
