import { Sql } from './sql.ts'

/** A placeholder for a value in a precompiled statement. */
export const param = Symbol('parameter')
/** A placeholder for the tenant in a precompiled statement, in all its places. */
export const tenantParam = Symbol('tenant')

/** Builds the text of a statement once. Each call of the result supplies values for its placeholders, in order. */
export function precompile(statement: Sql): (values: unknown[], tenantId?: string) => Sql {
  const strings = ['']
  const parameters: unknown[] = []
  const append = ({ strings: texts, values }: Sql) => {
    strings.push(strings.pop() + texts[0]!)
    values.forEach((value, i) => {
      if (value instanceof Sql) append(value)
      else {
        parameters.push(value)
        strings.push('')
      }
      strings.push(strings.pop() + texts[i + 1]!)
    })
  }
  append(statement)
  if (parameters.every((each) => each === param)) return (values) => new Sql(strings, values)
  return (values, tenantId) => {
    const rest = values.values()
    return new Sql(
      strings,
      parameters.map((each) => (each === tenantParam ? tenantId : each === param ? rest.next().value : each)),
    )
  }
}
