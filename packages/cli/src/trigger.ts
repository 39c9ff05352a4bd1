import { invocation } from '@backline/server/compose/invocation.ts'
import { accessOf, accessOptions } from './access/access.ts'
import { openClient } from './api/client.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import { requireTestEnvironment } from './test-environment.ts'
import { beyondRequests, fixtures } from './trigger/fixtures.ts'
import { recordRequests } from './trigger/requests.ts'

const types = [...fixtures.keys()]

export const command = defineCommand({
  argument: 'EVENT',
  argumentIsOptional: true,
  argumentChoices: types,
  refusedArguments: beyondRequests,
  description: `Sends the requests that cause the event, such as creating and resolving a conversation, so that webhooks, \
the stream and the feed deliver a real one. The objects stay. Live keys are refused.`,
  options: {
    ...accessOptions,
    list: { value: '', summary: 'List the event types', flag: true },
  },
  async run({ argument: type, options, environment }) {
    if (options.list) return { json: { object: 'list', data: types }, text: types.join('\n') }
    const fixture = fixtures.get(type)
    if (!fixture) throw new UsageError(`EVENT is required; see ${invocation} trigger --list`, 'trigger')
    const access = await accessOf('trigger', options, environment)
    requireTestEnvironment('trigger', access)
    const requests = recordRequests(openClient(access))
    const id = await fixture(requests)
    return {
      json: { object: 'trigger', type, resource_id: id, requests: requests.done },
      text: [...requests.done, `${type}  ${id}`].join('\n'),
    }
  },
})
