import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { accessOf } from '../access/access.ts'
import { defineCommand } from '../command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { untilStopped } from '../stop.ts'
import { prepareFolder } from './folder.ts'
import { whileLocked } from './lock.ts'
import { folderOf, importOptions } from './options.ts'
import { reportOf } from './report.ts'
import { send } from './run.ts'

export const command = defineCommand({
  argument: 'FILE',
  description: `Imports a file of NDJSON, one object a line, compressed (.gz) or not. Attachments with a path are files \
beside it. docs/import.md describes the lines. A run that was stopped continues with the same command; lines that are \
appended later are sent by the next run. The key needs the scopes jobs:read, jobs:write and files:write, and the write scopes of what is imported.`,
  options: {
    source: {
      value: 'NAME',
      summary: 'The name of the product that the objects come from: their ids are unique within it',
      required: true,
    },
    ...importOptions,
  },
  async run({ argument, options, environment }) {
    const { source } = options
    if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(source)) {
      const detail = 'must be 1 to 50 small letters, digits, dashes and underscores'
      throw new UsageError(`--source ${detail}`, 'import ndjson', [
        { argument: '--source', code: 'bad_format', detail },
      ])
    }
    const file = resolve(argument)
    if (!existsSync(file)) throw new CommandError('not_found', `${file} does not exist`)
    const access = await accessOf('import ndjson', options, environment)
    const folder = folderOf(options.folder, source)
    prepareFolder(folder)
    const work = async (signal: AbortSignal) => {
      const sending = { access, signal, file, to: null, root: dirname(file), folder, source }
      const done = await send(sending, options)
      return reportOf({ source, title: source, folder, fetched: null, ...done })
    }
    return untilStopped((signal) => whileLocked(folder, () => work(signal)))
  },
})
