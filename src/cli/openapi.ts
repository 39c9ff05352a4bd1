import { readConfig } from '../config.ts'
import { openapiDocument } from '../http/openapi.ts'
import { loadResources } from '../resources.ts'
import type { Output } from './command.ts'

export async function printOpenapi(): Promise<Output> {
  const document = openapiDocument(await loadResources(), readConfig().publicUrl)
  return { json: document, text: JSON.stringify(document, null, 2) }
}
