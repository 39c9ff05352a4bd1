import { openapiDocument } from '../../src/http/openapi.ts'
import { loadResources } from '../../src/resources.ts'

/** As a server with the default settings serves it, indented for reviews. */
const publicUrl = 'http://127.0.0.1:8080'

export const openapi = async (): Promise<string> =>
  `${JSON.stringify(openapiDocument(await loadResources(), publicUrl), null, 2)}\n`
