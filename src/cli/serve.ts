import { readConfig } from '../config.ts'
import { start } from '../server.ts'
import type { Input } from './command.ts'

/** Serves until SIGTERM. With --json the first keys are a line of JSON, as the log's lines are. */
export async function serve({ json }: Input): Promise<null> {
  if (json) await start(readConfig(), (keys, url) => console.log(JSON.stringify({ url, keys })))
  else await start(readConfig())
  return null
}
