import type { ApiError } from '@backline/sdk'

/** Variables that the server fills in: a request cannot give them values. */
const standard = ['conversation', 'operator', 'end_user', 'now']

const isStandard = (path: string): boolean => standard.includes(path.split('.')[0]!)

/** Splits the variables that have no value: a person can enter some, and the conversation lacks the others. */
export function missingVariables({ params }: ApiError): { own: string[]; lacking: string[] } {
  const names = (params.variables as string[] | undefined) ?? []
  return { own: names.filter((name) => !isStandard(name)), lacking: names.filter(isStandard) }
}

type Values = { [name: string]: string | Values }

/** The values with one more, at a path such as `order.number`. */
export function withValue(values: Values, path: string, value: string): Values {
  const [name, ...rest] = path.split('.') as [string, ...string[]]
  if (rest.length === 0) return { ...values, [name]: value }
  const inner = values[name]
  return { ...values, [name]: withValue(typeof inner === 'object' ? inner : {}, rest.join('.'), value) }
}
