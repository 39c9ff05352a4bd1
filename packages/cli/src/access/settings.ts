import { homedir } from 'node:os'
import { join } from 'node:path'

/** The settings of commands that call the API. */
export type Settings = {
  key: string | null
  url: string | null
  /** The file of the profiles. */
  file: string
  /** The server on this machine, as its own settings place it. */
  localUrl: string
}

/** @param environment the settings; by default those of the process */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const setting = (name: string) => environment[name]?.trim() || null
  return {
    key: setting('BACKLINE_API_KEY'),
    url: setting('BACKLINE_URL'),
    file: join(configDirectory(setting), 'backline', 'config.json'),
    localUrl: setting('BACKLINE_PUBLIC_URL') ?? `http://127.0.0.1:${setting('PORT') ?? 8080}`,
  }
}

/** The credentials for another product, from the variable of this name; null if it is not set. */
export const readCredentials = (name: string, environment: NodeJS.ProcessEnv = process.env): string | null =>
  environment[name]?.trim() || null

function configDirectory(setting: (name: string) => string | null): string {
  const home = setting('HOME') ?? homedir()
  const usual =
    process.platform === 'win32'
      ? (setting('APPDATA') ?? join(home, 'AppData', 'Roaming'))
      : join(home, '.config')
  return setting('XDG_CONFIG_HOME') ?? usual
}
