import {
  Backline,
  type BacklineOptions,
  ConflictError,
  type Conversation,
  type Event,
  ValidationError,
  webhooks,
} from '@backline/sdk'

/*
 * What a user writes. It is compiled by several versions of TypeScript and runs in several versions of Node and in a
 * browser. A line below @ts-expect-error must be an error.
 */

export async function run(options: BacklineOptions): Promise<Record<string, unknown>> {
  const backline = new Backline(options)
  const conversation: Conversation = await backline.conversations.create({
    external_user_id: 'user_42',
    subject: 'Card declined',
    message: { body: 'It says no.' },
  })
  // @ts-expect-error: there is no such priority
  const wrong = () => backline.conversations.update(conversation.id, { priority: 'immediate' })
  const missing = () => backline.conversations.create({})

  const { data, response } = await backline.conversations
    .update(conversation.id, { priority: 'high' }, { ifMatch: '"1"', operatorId: undefined })
    .withResponse()

  const listed: string[] = []
  for await (const { id } of backline.conversations.list({ limit: 1, status: ['new', 'open'] }))
    listed.push(id)
  const page = await backline.conversations.list({ external_user_id: 'user_42' })

  return {
    priority: data.priority,
    etag: response.headers.get('etag'),
    listed: listed.includes(conversation.id),
    found: page.data.some(({ id }) => id === conversation.id),
    conflict: await backline.conversations.reopen(conversation.id).catch(codeOf),
    invalid: await missing().catch(codeOf),
    alsoInvalid: await wrong().catch(codeOf),
    event: await firstEventAbout(backline, conversation.id),
    file: await upload(options),
    webhook: await webhooks.unwrap('{}', {}, 'whsec_c2VjcmV0').catch(({ code }) => code),
  }
}

/** Servers of tests have other addresses than the URLs of their uploads say. */
async function upload(options: BacklineOptions): Promise<string> {
  const fetching = (url: string, init: RequestInit) =>
    fetch(`${options.baseUrl}${new URL(url).pathname}`, init)
  const { files } = new Backline({ ...options, fetch: fetching })
  const bytes = new Blob(['1,2,3\n'], { type: 'text/csv' })
  const { id, filename, status } = await files.upload(bytes, { filename: 'numbers.csv', sha256: 'compute' })
  const content = await files.content(id)
  return `${filename} ${status} ${await content.text()}`
}

function codeOf(error: unknown): string {
  if (error instanceof ConflictError) {
    const code:
      | 'already_exists'
      | 'resource_in_use'
      | 'invalid_transition'
      | 'conversation_closed'
      | 'already_assigned'
      | 'job_running'
      | 'legal_hold'
      | 'file_not_ready'
      | 'file_rejected'
      | 'identity_conflict'
      | 'view_broken' = error.code
    return code
  }
  if (error instanceof ValidationError) return `${error.code} ${error.errors[0]?.pointer}`
  throw error
}

async function firstEventAbout(backline: Backline, id: string): Promise<string> {
  const { resume_cursor: after } = await backline.events.list({ limit: 1 })
  await backline.conversations.close(id)
  for await (const event of backline.events.stream({ after: after ?? undefined })) {
    if (event.resource.id === id && event.type === 'conversation.closed') return textOf(event)
  }
  throw new Error('The stream has no end')
}

/** Narrowed by its type. */
function textOf(event: Event): string {
  switch (event.type) {
    case 'conversation.created':
    case 'conversation.closed':
      return `${event.type} ${event.data.object.status satisfies Conversation['status']}`
    case 'message.created':
      // @ts-expect-error: a message has no subject
      return event.data.object.subject
    default:
      return event.type
  }
}
