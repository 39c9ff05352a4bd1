import { accessOf, accessOptions } from './access/access.ts'
import { openClient } from './api/client.ts'
import { operatorWith } from './api/operators.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'

/** Prints only the URL. The link signs in once, whoever opens it. */
export const command = defineCommand({
  argument: 'EMAIL',
  description: `The link signs in to the console as the operator with this e-mail address, once. A live key invites to \
both environments, a test key to the test environment. The key needs operators:write, operators:read, and all scopes of \
the role of a lead or an admin.`,
  options: {
    ...accessOptions,
    'expires-in': { value: 'SECONDS', summary: 'How long the link can be used (default: three days)' },
  },
  async run({ argument: email, options, environment }) {
    const seconds = options['expires-in']
    if (seconds !== undefined && !/^\d{1,9}$/.test(seconds))
      throw new UsageError('--expires-in must be a number of seconds', 'operators invite')
    const client = openClient(await accessOf('operators invite', options, environment))
    const id = await operatorWith(client, email)
    const invitation = await client.call('POST', `/v1/operators/${id}/invite`, {
      body: seconds === undefined ? {} : { expires_in_seconds: Number(seconds) },
    })
    return { json: invitation, text: invitation.url }
  },
})
