import { families } from './scopes.generated.ts'

const readAndWrite = (family: string): string[] => [`${family}:read`, `${family}:write`]

/** All valid scopes of a key, including wildcards. */
export const allScopes: string[] = [...Object.keys(families).flatMap(readAndWrite), '*:read', '*:write', '*']

/** The scopes that resources declare for a role. */
export const declaredFor = (role: 'agent' | 'lead'): string[] =>
  Object.entries(families).flatMap(
    ([family, { [role]: access }]) =>
      ({ none: [], read: [`${family}:read`], write: readAndWrite(family) })[access],
  )
