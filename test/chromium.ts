import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium as browserType } from 'playwright-core'

/** The program; undefined if it is not installed. */
export const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

let launched: Promise<Browser> | undefined

/** The browser of a test file, without a window. It ends with the tests of the file. */
export function browser(): Promise<Browser> {
  launched ??= browserType.launch({ executablePath: chromium!, args: flags })
  return launched
}

after(async () => (await launched)?.close())
