import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { type Browser, chromium as browserType } from 'playwright-core'

/** The program; undefined if none is installed. The first has no window to draw, and takes half of the time. */
export const chromium = ['chromium-headless-shell', 'chromium', 'chromium-browser']
  .map((name) => `/usr/bin/${name}`)
  .find(existsSync)

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
