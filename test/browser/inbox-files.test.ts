import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setPublicUrl } from '@backline/server/platform/kernel/public-url.ts'
import type { Page } from 'playwright-core'
import { type Body, conversation, succeeded } from '../desk.ts'
import { png } from '../file-samples.ts'
import { service } from '../harness.ts'
import { until } from '../processes.ts'
import { canBrowse } from './console.ts'
import { atConversation, composer, thread } from './inbox.ts'

const api = service({
  works: true,
  environment: { BACKLINE_FILES_MAX_BYTES: '2000' },
})

type File = { name: string; type: string; bytes: number[] }

const picture: File = { name: 'receipt.png', type: 'image/png', bytes: [...png()] }
const text = (name: string, length = 20): File => ({
  name,
  type: 'text/plain',
  bytes: Array.from({ length }, () => 97),
})

const transferOf = (page: Page, files: File[]) =>
  page.evaluateHandle(
    `(files => {
      const transfer = new DataTransfer()
      for (const { name, type, bytes } of files) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }))
      return transfer
    })(${JSON.stringify(files)})`,
  )

/** Drops files onto the composer. */
async function drop(page: Page, ...files: File[]): Promise<void> {
  const dataTransfer = await transferOf(page, files)
  await composer(page).dispatchEvent('dragover', { dataTransfer })
  await page.getByText('Drop files to attach them').waitFor()
  await composer(page).dispatchEvent('drop', { dataTransfer })
  await page.getByText('Drop files to attach them').waitFor({ state: 'detached' })
}

/** Pastes files into the composer. */
async function paste(page: Page, ...files: File[]): Promise<void> {
  const transfer = await transferOf(page, files)
  await composer(page).evaluate((field, clipboardData) => {
    const { ClipboardEvent: Paste } = globalThis as unknown as {
      ClipboardEvent: new (...of: unknown[]) => never
    }
    field.dispatchEvent(new Paste('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, transfer)
}

const attachments = (page: Page) => page.getByRole('list', { name: 'Attachments' })
const attached = (page: Page, name: string) =>
  attachments(page).getByRole('listitem').filter({ hasText: name }).filter({ hasNotText: 'Uploading…' })

async function opened() {
  setPublicUrl(api.url) // uploads have absolute URLs
  const world = await api.world()
  const { id } = await conversation(world.test, { subject: 'Refund', message: { body: 'Where is it?' } })
  const { page } = await atConversation(api, world, id)
  const sent = async () => succeeded(await world.test.get(`/v1/conversations/${id}/messages`)).data.slice(1)
  return { world, id, page, sent }
}

describe('files of a message', { skip: !canBrowse && 'Chromium is not installed' }, () => {
  test('dropped, pasted and chosen files are sent with the message, and can be saved from it', async () => {
    const { page, sent } = await opened()
    await drop(page, picture)
    await attached(page, 'receipt.png').waitFor()
    await paste(page, text('log.txt'))
    await attached(page, 'log.txt').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    const contract = { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('All is agreed') }
    await (await choosing).setFiles(contract)
    await attached(page, 'contract.txt').waitFor()
    await attachments(page).getByRole('button', { name: 'Remove log.txt' }).click()
    await attached(page, 'log.txt').waitFor({ state: 'detached' })
    await composer(page).fill('Here it is.')
    await composer(page).press('Control+Enter')

    await thread(page).getByRole('button', { name: 'receipt.png' }).locator('img').waitFor()
    await until('it is sent', async () => (await sent()).length === 1)
    const [message] = await sent()
    assert.deepEqual(
      message.attachments.map(({ filename }: { filename: string }) => filename),
      ['receipt.png', 'contract.txt'],
    )
    const saving = page.waitForEvent('download')
    await thread(page).getByRole('button', { name: 'contract.txt' }).click()
    assert.equal((await saving).suggestedFilename(), 'contract.txt')
    await attachments(page).waitFor({ state: 'detached' })
  })

  test('a message can be a file alone', async () => {
    const { page, sent } = await opened()
    const send = page.getByRole('button', { name: 'Send', exact: true })
    assert.equal(await send.isDisabled(), true)
    await paste(page, picture)
    await attached(page, 'receipt.png').waitFor()
    await send.click()
    await until('it is sent', async () => (await sent()).length === 1)
    const [{ body, attachments: files }] = await sent()
    assert.deepEqual([body, files.length], ['', 1])
  })

  test('a file that is too large, and a program, are refused in plain words, and the message waits until they are removed', async () => {
    const { page, sent } = await opened()
    await drop(page, text('export.csv', 3_000), text('setup.exe'), text('log.txt'))
    await attached(page, 'log.txt').waitFor()
    await attachments(page)
      .getByText(/Not uploaded: .*2,?000/)
      .waitFor()
    await attached(page, 'setup.exe')
      .getByText(/Not uploaded: .*(exe|kind|type|extension)/)
      .waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true)
    for (const name of ['export.csv', 'setup.exe'])
      await attachments(page)
        .getByRole('button', { name: `Remove ${name}` })
        .click()
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await sent()).length === 1)
    const [{ attachments: files }] = await sent()
    assert.deepEqual(
      files.map(({ filename }: { filename: string }) => filename),
      ['log.txt'],
    )
  })

  test('a file that is added to a note stays with the note when a reply is opened meanwhile', async () => {
    const { page, sent } = await opened()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/v1/files', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('tab', { name: 'Note' }).click()
    await drop(page, text('log.txt'))
    await attachments(page).getByText('Uploading…').waitFor()
    await page.getByRole('tab', { name: 'Reply' }).click()
    await attachments(page).waitFor({ state: 'detached' })
    release()
    const stored = () => page.evaluate<string>('JSON.stringify(localStorage)')
    await until('it is a part of the draft', async () => (await stored()).includes('log.txt'))
    await composer(page).fill('We look into it.')
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await sent()).length === 1)
    await page.getByRole('tab', { name: 'Note' }).click()
    await attached(page, 'log.txt').waitFor()
    await composer(page).press('Control+Enter')
    await until('both are sent', async () => (await sent()).length === 2)
    assert.deepEqual(
      (await sent()).map(({ visibility, attachments: files }: Body) => [visibility, files.length]),
      [
        ['public', 0],
        ['internal', 1],
      ],
    )
  })

  test('an upload that fails by the connection is tried again by a button', async () => {
    const { page, sent } = await opened()
    let isCut = true
    await page.route('**/v1/files**', (route) => (isCut ? route.abort('connectionreset') : route.continue()))
    await drop(page, text('log.txt'))
    await attachments(page)
      .getByText(/Not uploaded/)
      .waitFor()
    isCut = false
    await attachments(page).getByRole('button', { name: 'Upload log.txt again' }).click()
    await attached(page, 'log.txt').filter({ hasNotText: 'Not uploaded' }).waitFor()
    await composer(page).press('Control+Enter')
    await until('it is sent', async () => (await sent()).length === 1)
  })
})
