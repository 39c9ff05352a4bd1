import { Sql } from './sql.ts'

/** Stands for a value in a precompiled statement. */
export const param = Symbol('parameter')
/** Stands for the tenant in a precompiled statement, wherever it is named. */
export const tenantParam = Symbol('tenant')

/** Puts the text of a statement together once. Each call of the result gives values for its parameters, in their order. */
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
