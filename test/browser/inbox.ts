import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Service, World } from '../harness.ts'
import { until } from '../processes.ts'
import { type Person, signInAs } from './console.ts'

/* The parts of the inbox, as a person finds them. */

export type AtDesk = Person & { operatorId: string }

/** Without these preferences, messages wait before they are sent, and a resolved conversation gives way to the next. */
const oneAtATime = ['backline.send_delay=off', 'backline.after_done=stay']

/** Signs an agent in, and opens a page of the inbox of the test environment. One conversation is worked on at a time. */
export async function atDesk(
  ...[api, world, path, name, options]: Parameters<typeof atFlowingDesk>
): Promise<AtDesk> {
  const context = { ...options, storageState: storageOf(api, oneAtATime) }
  return atFlowingDesk(api, world, path, name, context)
}

const storageOf = (api: Service, preferences: string[]) => ({
  cookies: [],
  origins: [
    {
      origin: api.url,
      localStorage: preferences.map((each) => {
        const [name, value] = each.split('=') as [string, string]
        return { name, value }
      }),
    },
  ],
})

/** The same, with the preferences of somebody who has chosen none. */
export async function atFlowingDesk(
  api: Service,
  world: World,
  path: string,
  name = 'Ada Lovelace',
  options: BrowserContextOptions = {},
): Promise<AtDesk> {
  const person = await signInAs(api, world, { name, role: 'agent' }, options)
  await person.page.goto(`${api.url}/console/test/inbox/${path}`)
  return person
}

/** The same, with an open conversation that is ready to be worked on. */
export async function atConversation(
  api: Service,
  world: World,
  id: string,
  name?: string,
  options?: BrowserContextOptions,
): Promise<AtDesk> {
  const person = await atDesk(api, world, `open/${id}`, name, options)
  await ready(person.page)
  return person
}

/** Resolves when the conversation, its messages and the actions on it are there. */
export async function ready(page: Page): Promise<void> {
  await thread(page).waitFor()
  await composer(page).waitFor()
  await page.getByRole('button', { name: /^(Resolve|Reopen|Lösen)$/ }).waitFor()
}

export const thread = (page: Page) => page.getByRole('log')
export const details = (page: Page) => page.getByRole('complementary', { name: 'Details' })
export const composer = (page: Page) => page.getByRole('textbox', { name: /^(Reply|Note|Antwort|Notiz)$/ })
export const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('link')
export const rowOf = (page: Page, subject: string) => rows(page).filter({ hasText: subject })

/** A message at the corner of the page. */
export const toast = (page: Page, text: string | RegExp) =>
  page.locator('[role=dialog][data-type], [role=alertdialog][data-type]').filter({ hasText: text })

/** Resolves when the text area contains exactly this. */
export const written = (page: Page, text: string) =>
  until(
    `the composer contains ${JSON.stringify(text)}`,
    async () => (await composer(page).inputValue()) === text,
  )

/** Presses a key where no field has the focus. */
export async function press(page: Page, key: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur()')
  await page.keyboard.press(key)
}

/** The field of an open list, which has the focus. */
export const search = (page: Page) => page.locator('input[role=combobox]:focus')

/** Types into an open list, and chooses its first entry once it is the wanted one. */
export async function pick(page: Page, typed: string, option: string | RegExp = typed): Promise<void> {
  await search(page).fill(typed)
  await page.locator('[role=option]').first().filter({ hasText: option }).waitFor()
  await page.keyboard.press('Enter')
}

/** Runs a command of the palette, found by typing. */
export async function command(page: Page, label: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await pick(page, label)
}
