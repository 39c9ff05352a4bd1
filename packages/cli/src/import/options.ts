import { resolve } from 'node:path'
import { accessOptions } from '../access/access.ts'
import type { OptionSpecs } from '../command.ts'
import { UsageError } from '../errors.ts'

/** The options of all imports. */
export const importOptions = {
  ...accessOptions,
  folder: { value: 'PATH', summary: 'The folder of the copy (default: backline-import-<source>)' },
  'dry-run': {
    value: '',
    summary: 'Show what would come, and what the server says to it; import nothing',
    flag: true,
  },
  'on-conflict': {
    value: 'skip|update',
    summary: 'Leave objects that were imported before as they are, or update them (default: skip)',
    choices: ['skip', 'update'],
  },
} as const satisfies OptionSpecs

/** The options of imports that fetch. */
export const fetchOptions = {
  ...importOptions,
  'fetch-only': { value: '', summary: 'Fill the folder and send nothing', flag: true },
  'send-only': { value: '', summary: 'Send what is in the folder and fetch nothing', flag: true },
  since: { value: 'TIME', summary: 'Leave out conversations that last changed before: 2025-01-31' },
} as const satisfies OptionSpecs

export const ownIdsOption = {
  'own-ids': {
    value: '',
    summary: 'Give end users the ids of your product where the source has them, not the ids of the source',
    flag: true,
  },
} as const satisfies OptionSpecs

export const folderOf = (given: string | undefined, source: string): string =>
  resolve(given ?? `backline-import-${source}`)

/** @throws UsageError */
export function timeOfOption(text: string | undefined, command: string): string | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) && !Number.isNaN(date.getTime()))
    return date.toISOString()
  const detail = `must be a date or a time with its zone, not ${JSON.stringify(text)}`
  throw new UsageError(`--since ${detail}`, command, [{ argument: '--since', code: 'bad_format', detail }])
}

/** The part of a host name before that of the product. @throws UsageError */
export function subdomainOf(text: string, command: string): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)) return text.toLowerCase()
  const detail = `must be the first part of the address, not ${JSON.stringify(text)}`
  throw new UsageError(`--subdomain ${detail}`, command, [
    { argument: '--subdomain', code: 'bad_format', detail },
  ])
}
