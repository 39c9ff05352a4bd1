import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { samples } from '@backline/test/file-samples.ts'
import { announce, contentOf, file } from '@backline/test/files.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'

const api = service({ works: true })

const send = (client: Client, id: string, fields: object) =>
  client.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', ...fields })
const refusal = ({ status, body }: { status: number; body: Body }) => [status, body.code]
const typesOf = async (client: Client): Promise<string[]> =>
  succeeded(await client.get('/v1/events?limit=100')).data.map(({ type }: Body) => type)
/** The files of the store that contain bytes of a file. */
const bytesOf = async ({ id }: Body): Promise<string[]> =>
  (await readdir(api.filesDir, { recursive: true, withFileTypes: true })).flatMap((entry) =>
    entry.isFile() && entry.name.includes(uuidOf('file', id)!) ? [entry.name] : [],
  )

describe('the files of a message', () => {
  test('are shown in their order, wherever the message is', async () => {
    const { test } = await api.world()
    const files = [await file(api, test), await file(api, test, { filename: 'other.png' })]
    const { id } = await conversation(test)
    const sent = succeeded(
      await send(test, id, {
        attachments: [{ file_id: files[1]!.id }, { file_id: files[0]!.id, disposition: 'inline' }],
      }),
    )
    assert.equal(sent.body, '')
    assert.deepEqual(
      sent.attachments.map(({ file_id, filename, disposition, status, size_bytes }: Body) => [
        file_id,
        filename,
        disposition,
        status,
        size_bytes,
      ]),
      [
        [files[1]!.id, 'other.png', 'attachment', 'ready', samples.png.length],
        [files[0]!.id, 'pixel.png', 'inline', 'ready', samples.png.length],
      ],
    )
    assert.ok(sent.attachments[0].url.endsWith(`/v1/files/${files[1]!.id}/content`))
    const [listed] = succeeded(await test.get(`/v1/conversations/${id}/messages`)).data
    assert.deepEqual(listed, sent)
    const { data } = succeeded(await test.get('/v1/events?types=message.created'))
    assert.deepEqual(data[0].data.object.attachments, sent.attachments)
    assert.deepEqual(refusal(await test.delete(`/v1/files/${files[0]!.id}`)), [409, 'resource_in_use'])
  })

  test('of the first message belong to the new conversation', async () => {
    const { test } = await api.world()
    const { id } = await file(api, test)
    const begun = await conversation(test, { message: { attachments: [{ file_id: id }] } })
    const [first] = succeeded(await test.get(`/v1/conversations/${begun.id}/messages`)).data
    assert.deepEqual([first.body, first.attachments[0].file_id], ['', id])
    const empty = await test.post('/v1/conversations', { external_user_id: 'user', message: { body: '' } })
    assert.deepEqual([empty.status, empty.body.errors[0].pointer], [422, '/message/body'])
  })

  test('must be known, ready, of this conversation, not repeated, and not too many', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { id: elsewhere } = await conversation(test)
    const announced = await announce(test)
    const used = await file(api, test)
    succeeded(await send(test, elsewhere, { attachments: [{ file_id: used.id }] }))
    const good = await file(api, test)
    const unknown = `file_${'0'.repeat(26)}`
    const faultsOf = async (ids: string[]) => {
      const refused = await send(test, id, { attachments: ids.map((file_id) => ({ file_id })) })
      return refused.body.errors.map(({ pointer, code }: Body) => [pointer, code])
    }
    assert.deepEqual(await faultsOf([unknown, good.id, good.id]), [['/attachments/2/file_id', 'not_allowed']])
    assert.deepEqual(await faultsOf([unknown, announced.id, used.id, good.id]), [
      ['/attachments/0/file_id', 'not_found'],
      ['/attachments/1/file_id', 'not_allowed'],
      ['/attachments/2/file_id', 'not_found'],
    ])
    const many = Array.from({ length: 26 }, () => ({ file_id: good.id }))
    assert.equal((await send(test, id, { attachments: many })).body.errors[0].pointer, '/attachments')
    const nothing = await send(test, id, { body: '' })
    assert.deepEqual([nothing.status, nothing.body.errors[0].code], [422, 'too_short'])
    const twice = { attachments: [{ file_id: good.id }] }
    succeeded(await send(test, id, twice))
    succeeded(await send(test, id, twice))
  })

  test('go with the redaction of the last message that uses them', async () => {
    const { test } = await api.world()
    const { id } = await file(api, test)
    const { id: to } = await conversation(test)
    const one = succeeded(await send(test, to, { attachments: [{ file_id: id }] }))
    const two = succeeded(await send(test, to, { attachments: [{ file_id: id }] }))
    const gone = succeeded(await test.post(`/v1/messages/${one.id}/redact`))
    assert.deepEqual([gone.attachments[0].status, gone.attachments[0].url], ['deleted', null])
    assert.equal((await contentOf(api, test, id)).status, 200)
    succeeded(await test.post(`/v1/messages/${two.id}/redact`))
    assert.equal((await contentOf(api, test, id)).status, 404)
    assert.ok((await typesOf(test)).includes('file.deleted'))
    const messages = succeeded(await test.get(`/v1/conversations/${to}/messages`)).data
    assert.deepEqual(
      messages.map(({ attachments }: Body) => attachments[0].status),
      ['deleted', 'deleted'],
    )
    await until('the bytes are gone', async () => (await bytesOf({ id })).length === 0)
  })

  test('of redactions at the same time are deleted once', async () => {
    const { test } = await api.world()
    const { id } = await file(api, test)
    const { id: to } = await conversation(test)
    const sent: Body[] = []
    for (let i = 0; i < 6; i++) sent.push(succeeded(await send(test, to, { attachments: [{ file_id: id }] })))
    await Promise.all(sent.map(async (each) => succeeded(await test.post(`/v1/messages/${each.id}/redact`))))
    assert.equal((await test.get(`/v1/files/${id}`)).status, 404)
    assert.equal((await typesOf(test)).filter((type) => type === 'file.deleted').length, 1)
  })

  test('of a scheduled message are its own, and free again if it is cancelled', async () => {
    const { test } = await api.world()
    const [sent, cancelled] = [await file(api, test), await file(api, test)]
    const { id } = await conversation(test)
    const later = (file_id: string) =>
      test.post(`/v1/conversations/${id}/messages`, {
        author_side: 'operator',
        attachments: [{ file_id }],
        send_at: new Date(api.now() + 3_600_000).toISOString(),
      })
    const first = succeeded(await later(sent.id))
    const second = succeeded(await later(cancelled.id))
    assert.equal(first.attachments[0].status, 'ready')
    succeeded(await test.delete(`/v1/messages/${second.id}`))
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 3_700 }))
    const { data } = succeeded(await test.get(`/v1/conversations/${id}/messages`))
    assert.deepEqual([data[0].id, data[0].attachments[0].file_id], [first.id, sent.id])
    const { id: other } = await conversation(test)
    succeeded(await send(test, other, { attachments: [{ file_id: cancelled.id }] }))
    const taken = await send(test, other, { attachments: [{ file_id: sent.id }] })
    assert.equal(taken.body.errors[0].code, 'not_found')
  })
})
