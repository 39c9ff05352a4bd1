import { accessOf, accessOptions } from './access/access.ts'
import { openClient } from './api/client.ts'
import { defineCommand } from './command.ts'
import { CommandError, UsageError } from './errors.ts'
import { printable } from './text.ts'

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
    const { data } = await client.call('GET', '/v1/operators', { query: { email } })
    if (data.length === 0)
      throw new CommandError(
        'not_found',
        `no operator who is not archived has the e-mail address ${printable(email)}; create one with: api post operators -f name=NAME -f email=EMAIL`,
      )
    const invitation = await client.call('POST', `/v1/operators/${data[0].id}/invite`, {
      body: seconds === undefined ? {} : { expires_in_seconds: Number(seconds) },
    })
    return { json: invitation, text: invitation.url }
  },
})
