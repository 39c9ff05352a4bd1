import { readConfig } from '@backline/server/compose/config.ts'
import { loadResources } from '@backline/server/compose/resources.ts'
import { openapiDocument } from '@backline/server/support/documents/openapi.ts'
import { defineCommand } from './command.ts'

export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const document = openapiDocument(await loadResources(), readConfig(environment).publicUrl)
    return { json: document, text: JSON.stringify(document, null, 2) }
  },
})
