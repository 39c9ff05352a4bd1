import { readConfig } from '@backline/server/compose/config.ts'
import { start } from '@backline/server/main.ts'
import { defineCommand } from './command.ts'

/**
 * Serves until SIGTERM. With --json, a terminal shows the first keys and the link to the console as a line of JSON,
 * like the lines of the log.
 */
export const command = defineCommand({
  options: {},
  async run({ json, environment }) {
    const config = readConfig(environment)
    if (json)
      await start(config, (url, keys, console_link) =>
        console.log(JSON.stringify({ url, keys, console_link })),
      )
    else await start(config)
    return null
  },
})
