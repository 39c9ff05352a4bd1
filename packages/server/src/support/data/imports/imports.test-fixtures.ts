import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

const text = '{"type":"tag","external_id":"1","name":"Imported"}\n'

export const fixtures: RouteFixtures = {
  preparations: {
    startImport: {
      with: {
        file: () => ({
          filename: 'lines.ndjson',
          content_type: 'application/x-ndjson',
          size_bytes: text.length,
        }),
      },
      uploads: { file: text },
      inBody: { file: 'completeFile' },
    },
  },
}
