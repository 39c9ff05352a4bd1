import { type Json, nameOf } from './document.ts'

/** A JSON Schema as a TypeScript type. @param indent the indentation of the line on which the type begins */
export function typeOf(schema: Json, indent = ''): string {
  if (schema === true || schema === undefined) return 'unknown'
  if (schema.$ref) return nameOf(schema)
  if (schema.allOf) return schema.allOf.map((part: Json) => typeOf(part, indent)).join(' & ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return variants.map((variant: Json) => typeOf(variant, indent)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'integer':
      return 'number'
    case 'array':
      return arrayOf(typeOf(schema.items, indent))
    case 'object':
      return objectOf(schema, indent)
    default:
      return schema.type ?? 'unknown'
  }
}

/** A query parameter as a type. Lists can be given as arrays, and times as dates. */
export function queryTypeOf(schema: Json): string {
  const type = typeOf(schema)
  if (schema.format === 'date-time') return `${type} | Date`
  const [, item] = /^\^(.+)\(,\1\)[*+]\$$/.exec(schema.pattern ?? '') ?? []
  if (!item) return type
  const [, words] = /^\(([a-z_|]+)\)$/.exec(item) ?? []
  return `${type} | readonly ${arrayOf(words ? words.split('|').map(literal).join(' | ') : 'string')}`
}

/** Members as the lines of an object type. `undefined` means absent, also with `exactOptionalPropertyTypes`. */
export function membersOf(
  members: { name: string; schema: Json; type: string; isRequired: boolean }[],
  indent = '',
) {
  const lines = members.map(({ name, schema, type, isRequired }) => {
    const comment = commentOf(memberDocumentation(schema), `${indent}  `)
    return `${comment}${indent}  ${name}${isRequired ? `: ${type}` : `?: ${type} | undefined`}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** A documentation comment with a line break at its end; empty without a text. */
export function commentOf(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function memberDocumentation({ description, default: usual }: Json): string | undefined {
  const sentence = usual === undefined ? '' : `Default \`${JSON.stringify(usual)}\`.`
  return [description, sentence].filter(Boolean).join(' ') || undefined
}

function objectOf({ properties, required = [], additionalProperties }: Json, indent: string): string {
  if (!properties || Object.keys(properties).length === 0) {
    if (typeof additionalProperties === 'object')
      return `Record<string, ${typeOf(additionalProperties, indent)}>`
    return `Record<string, ${properties ? 'never' : 'unknown'}>` // an object whose members are all unknown is empty
  }
  const members = Object.entries<Json>(properties).map(([name, schema]) => ({
    name,
    schema,
    type: typeOf(schema, `${indent}  `),
    isRequired: required.includes(name),
  }))
  return membersOf(members, indent)
}

const arrayOf = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`)

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value)
