import { nearest } from '../platform/kernel/spelling.ts'

/** Variables that other parts of Backline read: the command line. */
const ofCommands = ['BACKLINE_API_KEY', 'BACKLINE_URL']

const prefix = 'BACKLINE_'

/**
 * The names of variables that look like settings and are none, most likely mistyped.
 * @param known the names that are read
 */
export function unknownSettings(environment: NodeJS.ProcessEnv, known: ReadonlySet<string>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.has(name) && !ofCommands.includes(name))
    .filter((name) => environment[name]?.trim() && !isServiceLink(name, environment[name]))
    .sort()
}

/** `BACKLINE_PUBLIC_ULR is not a setting: did you mean BACKLINE_PUBLIC_URL?` */
export function faultOfName(name: string, known: ReadonlySet<string>): string {
  const byBareName = new Map([...known].map((each) => [each.replace(prefix, ''), each]))
  const similar = nearest(name.replace(prefix, ''), [...byBareName.keys()])
  const advice =
    similar === null
      ? 'correct its name, or unset it; docs/operating.md lists all settings'
      : `did you mean ${byBareName.get(similar)}?`
  return `${name} is not a setting: ${advice}`
}

/** Kubernetes and Docker describe a service named `backline…` in variables such as BACKLINE_API_PORT_8080_TCP. */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?$/.test(name) ||
  /^(tcp|udp|sctp):\/\//.test(value)
