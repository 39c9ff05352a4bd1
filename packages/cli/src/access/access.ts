import { createHmac } from 'node:crypto'
import { invocation } from '@backline/server/compose/invocation.ts'
import { hasKeyShape } from '@backline/server/support/vocabulary/credentials.ts'
import type { OptionSpecs } from '../command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { printable } from '../text.ts'
import { readProfiles } from './profiles.ts'
import { readSettings } from './settings.ts'

/** A server, and the key for it. */
export type Access = {
  /** Without a slash at the end. */
  url: string
  key: string
  environment: 'live' | 'test'
  /** The secret with which `listen` signs: the same in each run. */
  listenSecret: string
}

/** The options of commands that call the API. */
export const accessOptions = {
  profile: { value: 'NAME', summary: 'The profile to use, before BACKLINE_API_KEY and the current profile' },
  url: { value: 'URL', summary: 'The URL of the server (default: BACKLINE_URL, then that of the profile)' },
} satisfies OptionSpecs

type Given = { profile: string | undefined; url: string | undefined; key?: string | undefined }

/**
 * The access that a command uses: that of its options, of the environment, or of the current profile. A key of the
 * environment is not sent to the server of a profile.
 * @throws UsageError for invalid options, CommandError without a key
 */
export async function accessOf(
  command: string,
  given: Given,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Access> {
  const settings = readSettings(environment)
  const explicitUrl =
    given.url !== undefined
      ? serverUrl('--url', given.url, command)
      : settings.url && serverUrl('BACKLINE_URL', settings.url, command)
  const key = given.key ?? (given.profile === undefined ? settings.key : null)
  if (key !== null) {
    if (!hasKeyShape(key)) refuseKey(given.key === undefined ? 'BACKLINE_API_KEY' : '--key', command)
    return accessWith(explicitUrl ?? serverUrl('BACKLINE_PUBLIC_URL', settings.localUrl, command), key)
  }
  const { current, profiles } = await readProfiles(settings.file)
  const name = given.profile ?? current
  const profile = name !== null && Object.hasOwn(profiles, name) ? profiles[name] : null
  if (profile) {
    if (given.url === undefined && explicitUrl && new URL(explicitUrl).origin !== new URL(profile.url).origin)
      throw new UsageError(
        `BACKLINE_URL is ${explicitUrl}, and profile ${printable(name!)} is for ${profile.url}; unset it, or give --url to send the key there`,
        command,
      )
    return accessWith(explicitUrl ?? profile.url, profile.key, profile.listen_secret)
  }
  throw noAccess(given.profile, Object.keys(profiles))
}

export const environmentOf = (key: string): 'live' | 'test' => (key.startsWith('bkl_live_') ? 'live' : 'test')

const accessWith = (url: string, key: string, listenSecret = listenSecretOf(key)): Access => ({
  url,
  key,
  environment: environmentOf(key),
  listenSecret,
})

/** A webhook secret that only somebody with the key can compute, and from which the key cannot be computed. */
export const listenSecretOf = (key: string): string =>
  `whsec_${createHmac('sha256', key).update('backline listen').digest('base64')}`

function noAccess(named: string | undefined, names: string[]): CommandError {
  const known = names.map(printable).join(', ')
  if (named !== undefined) {
    const hint = names.length > 0 ? `existing profiles: ${known}` : `run: ${invocation} login`
    return new CommandError('not_found', `profile ${JSON.stringify(named)} does not exist; ${hint}`)
  }
  if (names.length > 0)
    return new CommandError('no_api_key', `no profile is selected; run: ${invocation} profiles use ${known}`)
  return new CommandError('no_api_key', `no API key; run: ${invocation} login, or set BACKLINE_API_KEY`)
}

function refuseKey(argument: string, command: string): never {
  const detail = 'must be a complete API key, bkl_test_… or bkl_live_…'
  throw new UsageError(`${argument} ${detail}`, command, [{ argument, code: 'bad_format', detail }])
}

/** The URL of a server, without a slash at the end. @throws UsageError */
export function serverUrl(argument: string, text: string, command: string): string {
  const url = httpUrl(argument, text, command)
  if (url.search || url.hash) refuseUrl(argument, 'must be a URL without a query', command)
  return url.href.replace(/\/$/, '')
}

/** @throws UsageError */
export function httpUrl(argument: string, text: string, command: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    refuseUrl(argument, `must be an http:// or https:// URL, not ${JSON.stringify(text)}`, command)
  if (url.username || url.password)
    refuseUrl(argument, 'must be a URL without a user name and password', command)
  return url
}

function refuseUrl(argument: string, detail: string, command: string): never {
  throw new UsageError(`${argument} ${detail}`, command, [{ argument, code: 'bad_format', detail }])
}
