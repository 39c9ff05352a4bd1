import { loadResources } from '@backline/server/compose/resources.ts'
import { openapiDocument } from '@backline/server/support/documents/openapi.ts'

/** The document of a server with default settings, indented for reviews. */
const publicUrl = 'http://127.0.0.1:8080'

export const openapi = async (): Promise<string> =>
  `${JSON.stringify(openapiDocument(await loadResources(), publicUrl), null, 2)}\n`
