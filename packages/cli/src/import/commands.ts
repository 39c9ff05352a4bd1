import { serverUrl } from '../access/access.ts'
import { defineCommand } from '../command.ts'
import { UsageError } from '../errors.ts'
import { fetchOptions, ownIdsOption, subdomainOf } from './options.ts'
import { runImport } from './run.ts'
import { chatwoot as chatwootSource } from './vendors/chatwoot.ts'
import { freshdesk as freshdeskSource } from './vendors/freshdesk.ts'
import { intercom as intercomSource } from './vendors/intercom.ts'
import { zammad as zammadSource } from './vendors/zammad.ts'
import { zendesk as zendeskSource } from './vendors/zendesk.ts'

const describe = (
  title: string,
  variable: string,
  more = '',
) => `Copies people, conversations and files from ${title} \
into a folder, and imports the folder. The credentials stay on this machine: they are read from ${variable}, or asked \
for.${more} A run that was stopped continues with the same command; a later run adds what is new. Nothing is sent to \
your customers. The key needs the scopes jobs:read, jobs:write and files:write, and the write scopes of what is imported.`

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

export const zendesk = defineCommand({
  description: describe(
    'Zendesk',
    'ZENDESK_API_TOKEN',
    ' With --email, they are an API token of this admin, otherwise an OAuth access token.',
  ),
  options: {
    subdomain: { value: 'NAME', summary: 'acme, if your Zendesk is acme.zendesk.com', required: true },
    email: { value: 'ADDRESS', summary: 'The address of the admin whom the API token belongs to' },
    ...ownIdsOption,
    ...fetchOptions,
  },
  run: ({ options, environment }) =>
    runImport(
      zendeskSource,
      {
        base: `https://${subdomainOf(options.subdomain, 'import zendesk')}.zendesk.com`,
        variable: 'ZENDESK_API_TOKEN',
        prompt: options.email === undefined ? 'OAuth access token' : 'API token',
        headersOf: (token) =>
          options.email === undefined
            ? { authorization: `Bearer ${token}` }
            : basic(`${options.email}/token:${token}`),
      },
      options,
      environment,
    ),
})

const regions = { us: 'api.intercom.io', eu: 'api.eu.intercom.io', au: 'api.au.intercom.io' }

export const intercom = defineCommand({
  description: describe('Intercom', 'INTERCOM_ACCESS_TOKEN'),
  options: {
    region: {
      value: 'us|eu|au',
      summary: 'The region in which Intercom keeps your data (default: us)',
      choices: ['us', 'eu', 'au'],
    },
    ...ownIdsOption,
    ...fetchOptions,
  },
  run: ({ options, environment }) =>
    runImport(
      intercomSource,
      {
        base: `https://${regions[options.region ?? 'us']}`,
        variable: 'INTERCOM_ACCESS_TOKEN',
        prompt: 'Access token',
        headersOf: (token) => ({ authorization: `Bearer ${token}`, 'intercom-version': '2.11' }),
      },
      options,
      environment,
    ),
})

export const chatwoot = defineCommand({
  description: describe('Chatwoot', 'CHATWOOT_API_TOKEN'),
  options: {
    from: { value: 'URL', summary: 'The address of Chatwoot (default: https://app.chatwoot.com)' },
    account: { value: 'ID', summary: 'The number of the account, which is in its addresses', required: true },
    ...ownIdsOption,
    ...fetchOptions,
  },
  run({ options, environment }) {
    const command = 'import chatwoot'
    if (!/^\d{1,12}$/.test(options.account)) {
      const detail = `must be a number, not ${JSON.stringify(options.account)}`
      throw new UsageError(`--account ${detail}`, command, [
        { argument: '--account', code: 'bad_format', detail },
      ])
    }
    return runImport(
      chatwootSource,
      {
        base: `${serverUrl('--from', options.from ?? 'https://app.chatwoot.com', command)}/api/v1/accounts/${options.account}`,
        variable: 'CHATWOOT_API_TOKEN',
        prompt: 'Access token',
        headersOf: (token) => ({ api_access_token: token }),
      },
      options,
      environment,
    )
  },
})

export const zammad = defineCommand({
  description: describe('Zammad', 'ZAMMAD_API_TOKEN'),
  options: {
    from: { value: 'URL', summary: 'The address of Zammad: https://help.example.com', required: true },
    ...fetchOptions,
  },
  run: ({ options, environment }) =>
    runImport(
      zammadSource,
      {
        base: serverUrl('--from', options.from, 'import zammad'),
        variable: 'ZAMMAD_API_TOKEN',
        prompt: 'Access token',
        headersOf: (token) => ({ authorization: `Token token=${token}` }),
      },
      options,
      environment,
    ),
})

export const freshdesk = defineCommand({
  description: describe('Freshdesk', 'FRESHDESK_API_KEY'),
  options: {
    subdomain: { value: 'NAME', summary: 'acme, if your Freshdesk is acme.freshdesk.com', required: true },
    ...ownIdsOption,
    ...fetchOptions,
  },
  run: ({ options, environment }) =>
    runImport(
      freshdeskSource,
      {
        base: `https://${subdomainOf(options.subdomain, 'import freshdesk')}.freshdesk.com`,
        variable: 'FRESHDESK_API_KEY',
        prompt: 'API key',
        headersOf: (key) => basic(`${key}:X`),
      },
      options,
      environment,
    ),
})
