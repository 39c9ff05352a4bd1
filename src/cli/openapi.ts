import { readConfig } from '../config.ts'
import { openapiDocument } from '../http/openapi.ts'
import { loadResources } from '../resources.ts'
import { defineCommand } from './command.ts'

export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const document = openapiDocument(await loadResources(), readConfig(environment).publicUrl)
    return { json: document, text: JSON.stringify(document, null, 2) }
  },
})
