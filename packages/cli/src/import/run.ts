import { join } from 'node:path'
import { type Access, accessOf } from '../access/access.ts'
import { readSecret } from '../access/secret-input.ts'
import { readCredentials } from '../access/settings.ts'
import { openClient } from '../api/client.ts'
import type { Output } from '../command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { openMeter } from '../progress.ts'
import { untilStopped } from '../stop.ts'
import { fetchAll } from './fetch.ts'
import { type FetchState, fileNames, prepareFolder, readFetchState } from './folder.ts'
import { openSource } from './http.ts'
import { whileLocked } from './lock.ts'
import { folderOf, timeOfOption } from './options.ts'
import { reportOf } from './report.ts'
import { sendDry } from './send/dry-run.ts'
import { type SendOptions, sendAll } from './send/send.ts'
import type { Source } from './source.ts'

export type ImportOptions = {
  profile: string | undefined
  url: string | undefined
  folder: string | undefined
  'dry-run': true | undefined
  'on-conflict': 'skip' | 'update' | undefined
  'fetch-only'?: true | undefined
  'send-only'?: true | undefined
  since?: string | undefined
  'own-ids'?: true | undefined
}

/** How the API of a source is reached. */
export type Reach = {
  /** Without a slash at the end. */
  base: string
  /** The environment variable that can hold the credentials; otherwise they are asked for. */
  variable: string
  prompt: string
  headersOf(credentials: string): Record<string, string>
}

/** Fetches from a source into the folder, and sends what the server has not received yet. */
export async function runImport(
  source: Source,
  reach: Reach,
  options: ImportOptions,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Output> {
  const command = `import ${source.name}`
  const { 'fetch-only': fetchOnly, 'send-only': sendOnly, 'dry-run': isDry } = options
  if (fetchOnly && (sendOnly || isDry))
    throw new UsageError(
      `--fetch-only and ${sendOnly ? '--send-only' : '--dry-run'} exclude each other`,
      command,
    )
  const since = timeOfOption(options.since, command)
  const folder = folderOf(options.folder, source.name)
  // Before hours of fetching: a server that cannot be reached is told at once.
  const access = fetchOnly ? null : await accessOf(command, options, environment)
  prepareFolder(folder)
  const work = async (signal: AbortSignal) => {
    if (access) await greet(access, signal)
    const ownIds = options['own-ids'] ?? false
    const fetched = sendOnly
      ? fetchedBefore(folder, source)
      : await fetchFrom(source, reach, { folder, since, ownIds, signal }, environment)
    const report = { source: source.name, title: source.title, folder, fetched, sent: null, dryRun: null }
    if (!access) return reportOf(report)
    const file = join(folder, fileNames.lines)
    const sending = { access, signal, file, to: fetched.lines, root: folder, folder, source: source.name }
    return reportOf({ ...report, ...(await send(sending, options)) })
  }
  return untilStopped((signal) => whileLocked(folder, () => work(signal)))
}

type Sending = Omit<SendOptions, 'client' | 'onConflict'>

export async function send(sending: Sending, options: Pick<ImportOptions, 'dry-run' | 'on-conflict'>) {
  const { access, signal } = sending
  const given = { ...sending, client: openClient(access, signal), onConflict: options['on-conflict'] }
  return options['dry-run']
    ? { sent: null, dryRun: { url: access.url, result: await sendDry(given) } }
    : { sent: { url: access.url, result: await sendAll(given) }, dryRun: null }
}

async function greet(access: Access, signal: AbortSignal): Promise<void> {
  const { status } = await openClient(access, signal).send('GET', '/v1/workspace')
  if (status === 401) throw new CommandError('api_key_invalid', `${access.url} does not accept the API key`)
}

function fetchedBefore(folder: string, source: Source): FetchState {
  const state = readFetchState(folder)
  if (state?.source === source.name) return state
  throw new CommandError('not_found', `${folder} has nothing from ${source.title}; run without --send-only`)
}

async function fetchFrom(
  source: Source,
  { base, variable, prompt, headersOf }: Reach,
  options: { folder: string; since: string | null; ownIds: boolean; signal: AbortSignal },
  environment: NodeJS.ProcessEnv | undefined,
): Promise<FetchState> {
  const credentials =
    readCredentials(variable, environment) ?? (await readSecret(`${prompt} (or set ${variable}): `))
  if (credentials === '')
    throw new CommandError('no_credentials', `no ${prompt}; set ${variable}, or type it`)
  const headers = { accept: 'application/json', ...headersOf(credentials) }
  const client = openSource({ title: source.title, base, headers, signal: options.signal })
  const meter = openMeter()
  const progress = (stage: string, { counts }: FetchState) =>
    meter.show(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      null,
      `objects, now ${stage.replace('_', ' ')}`,
    )
  try {
    return await fetchAll(source, { ...options, client, base, progress })
  } finally {
    meter.end()
  }
}
