import { hasKeyShape, secretHint } from '@backline/server/support/vocabulary/credentials.ts'
import { environmentOf, listenSecretOf, serverUrl } from './access/access.ts'
import { type Profile, readProfiles, writeProfiles } from './access/profiles.ts'
import { readSecret } from './access/secret-input.ts'
import { readSettings } from './access/settings.ts'
import { ApiRefusal, type Client, openClient } from './api/client.ts'
import { itemsOf } from './api/items.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import { printable } from './text.ts'

/** The key is never an argument: other users can read arguments, and shells keep them. */
export const command = defineCommand({
  description: `Asks for an API key without showing it, checks it with the server and stores it for later commands, in a \
file that only you can read. Without a terminal, the key is read from stdin. The profile becomes the current one.`,
  options: {
    profile: { value: 'NAME', summary: 'The name of the profile (default: default)' },
    url: { value: 'URL', summary: 'The URL of the server (default: BACKLINE_URL, then that of the profile)' },
  },
  async run({ options, environment }) {
    const settings = readSettings(environment)
    const name = options.profile ?? 'default'
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new UsageError('--profile must be 1 to 64 letters, digits, dots, dashes and underscores', 'login')
    const { current: _, profiles } = await readProfiles(settings.file)
    const previous = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    const source = options.url === undefined ? 'BACKLINE_URL' : '--url'
    const url = serverUrl(source, options.url ?? settings.url ?? previous?.url ?? settings.localUrl, 'login')

    const key = await readSecret(`API key for ${url} (bkl_test_… or bkl_live_…): `)
    if (!hasKeyShape(key))
      throw new UsageError(
        `this is not a complete API key, bkl_test_… or bkl_live_…; nothing was stored`,
        'login',
      )
    const client = openClient({ url, key })
    const workspace = await workspaceOf(client)
    const scopes = await scopesOf(client, secretHint(key))

    const listen_secret = previous?.listen_secret ?? listenSecretOf(key)
    const profile: Profile = { url, key, workspace, listen_secret }
    const now = await readProfiles(settings.file) // another login may have stored one meanwhile
    await writeProfiles(settings.file, { current: name, profiles: { ...now.profiles, [name]: profile } })
    const kind = environmentOf(key)
    for (const warning of warningsOf(url, kind, settings.key)) process.emitWarning(warning)
    return {
      json: { object: 'profile', name, url, workspace, environment: kind, scopes, file: settings.file },
      text: [
        `Logged in to ${workspace === null ? 'a workspace' : `the workspace ${printable(workspace)}`}, ${kind} environment, at ${url}`,
        `Scopes   ${scopes === null ? 'not shown; reading them needs api_keys:read' : scopes.join(', ')}`,
        `Profile  ${name}, the current one, in ${settings.file}`,
      ].join('\n'),
    }
  },
})

/** The name of the workspace; null if the key may not read it. The request checks the key in both cases. */
const workspaceOf = ({ call }: Client): Promise<string | null> =>
  ifAllowed(async () => (await call('GET', '/v1/workspace')).name)

/** The scopes of the key; null if it may not read keys, or if two keys look alike. */
const scopesOf = (client: Client, hint: string): Promise<string[] | null> =>
  ifAllowed(async () => {
    const found: string[][] = []
    for await (const { secret_hint, revoked_at, scopes } of itemsOf(client, '/v1/api_keys'))
      if (secret_hint === hint && revoked_at === null) found.push(scopes)
    return found.length === 1 ? found[0]! : null
  })

async function ifAllowed<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 'scope_missing') return null
    throw error
  }
}

function* warningsOf(url: string, kind: 'live' | 'test', given: string | null): Iterable<string> {
  if (given !== null)
    yield 'BACKLINE_API_KEY is set and comes before the current profile; unset it, or use --profile'
  if (kind === 'live') yield 'this is a live key: what commands write is seen by real people'
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(hostname))
    yield `${url} is not encrypted: the network between can read the key; use https://`
}
