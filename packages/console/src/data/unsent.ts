import type { Environment } from './environment.tsx'

/*
 * Texts that a person has written and not sent. The browser keeps them, apart for each operator and environment, so
 * that they survive a reload and the end of a session. Signing out removes them: others may use the same browser.
 */

const prefix = 'backline.unsent.'

/** The key of an unsent text in the storage of the browser. */
export const unsentKey = ({ name, operator }: Pick<Environment, 'name' | 'operator'>, what: string): string =>
  `${prefix}${name}.${operator.id}.${what}`

export function removeUnsent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
