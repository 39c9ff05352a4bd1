/** True if the program was started as `backline`, from an installed package, and not by npm in a checkout. */
const isInstalled = /(^|[\\/])backline(\.[cm]?js)?$/.test(process.argv[1] ?? '')

/** The command line prefix of commands, for help and advice. */
export const invocation = isInstalled ? 'backline' : 'npm run -s backline --'
