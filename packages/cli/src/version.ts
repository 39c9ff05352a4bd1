import { createRequire } from 'node:module'
import { defineCommand } from './command.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

export const command = defineCommand({
  options: {},
  run: async () => ({
    json: { version, node: process.versions.node, platform: process.platform, arch: process.arch },
    text: `backline ${version}`,
  }),
})
