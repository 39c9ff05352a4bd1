import { createRequire } from 'node:module'
import { defineCommand } from './command.ts'

/** All packages have one version; a compiled one contains the manifest of the server. */
const { version } = createRequire(import.meta.url)('../../server/package.json') as { version: string }

export const command = defineCommand({
  options: {},
  run: async () => ({
    json: { version, node: process.versions.node, platform: process.platform, arch: process.arch },
    text: `backline ${version}`,
  }),
})
