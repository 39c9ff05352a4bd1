import { extname, sep } from 'node:path'

const isCheckout = extname(import.meta.url) === '.ts'
const isLocal = process.argv[1]?.includes(`node_modules${sep}.bin`)

/** The command line prefix of commands, for help and advice. */
export const invocation = isCheckout ? 'npm run -s backline --' : isLocal ? 'npx backline' : 'backline'
