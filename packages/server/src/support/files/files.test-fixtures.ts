import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

const text = 'text'
const uploaded = {
  with: { file: () => ({ filename: 'note.txt', content_type: 'text/plain', size_bytes: text.length }) },
  uploads: { file: text },
}

export const fixtures: RouteFixtures = {
  preparations: { completeFile: uploaded, getFileContent: { ...uploaded, after: ['completeFile'] } },
}
