import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { describeError } from './described-error.ts'
import { prettyLine } from './pretty-log.ts'

/** Opens the log of a server on standard output: pretty on a terminal, JSON elsewhere. */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const isTerminal = isatty(1)
  const options = { level: logLevel, serializers }
  if ((logFormat ?? (isTerminal ? 'pretty' : 'json')) === 'json') return pino(options)
  const hasColours = isTerminal && process.stdout.hasColors()
  return pino(options, { write: (line) => void process.stdout.write(prettyLine(line, hasColours)) })
}

/** Neither requests nor errors are logged as they are: they contain keys, and texts that people wrote. */
const serializers = {
  err: describeError,
  error: describeError,
  req: () => undefined,
  res: ({ statusCode }: { statusCode?: number }) => ({ status: statusCode }),
}
