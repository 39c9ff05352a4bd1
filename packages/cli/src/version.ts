import { version } from '@backline/server/compose/version.ts'
import { defineCommand } from './command.ts'

export const command = defineCommand({
  options: {},
  run: async () => ({
    json: { version, node: process.versions.node, platform: process.platform, arch: process.arch },
    text: `backline ${version}`,
  }),
})
