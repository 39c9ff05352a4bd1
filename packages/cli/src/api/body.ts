import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../errors.ts'

/** The body of a request as JSON text; undefined without one. */
export async function bodyOf(
  command: string,
  { data, field }: { data?: string | undefined; field?: string[] | undefined },
): Promise<string | undefined> {
  if (data !== undefined && field !== undefined)
    throw new UsageError('--data and --field exclude each other', command)
  if (field !== undefined) return JSON.stringify(objectOf(field, command))
  return data === undefined ? undefined : jsonIn(await read(data, command), command)
}

async function read(data: string, command: string): Promise<string> {
  if (data === '-' || data === '@-') return text(process.stdin)
  if (!data.startsWith('@')) return data
  try {
    return await readFile(data.slice(1), 'utf8')
  } catch (error) {
    throw new UsageError(`--data cannot read ${data.slice(1)}: ${(error as Error).message}`, command)
  }
}

function jsonIn(json: string, command: string): string {
  try {
    JSON.parse(json)
    return json
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}`, command)
  }
}

type Tree = { [name: string]: unknown }

/** `subject=Hello`, `metadata[plan]=pro`, `tags[]=vip`; `:=` in place of `=` takes a value as JSON. */
function objectOf(fields: string[], command: string): Tree {
  const body: Tree = Object.create(null)
  for (const field of fields) {
    const match = /^([^[\]=:]+)((?:\[[^[\]]*\])*)(:?=)(.*)$/s.exec(field)
    if (!match) {
      const form = 'NAME=TEXT, NAME:=JSON, NAME[MEMBER]=TEXT or NAME[]=TEXT'
      throw new UsageError(`--field must be ${form}, not ${JSON.stringify(field)}`, command)
    }
    const [, name, brackets, sign, given] = match as unknown as [string, string, string, string, string]
    const path = [name, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, member]) => member!)]
    const value = sign === '=' ? given : typed(name, given, command)
    if (!place(body, path, value))
      throw new UsageError(`--field ${JSON.stringify(field)} contradicts an earlier one`, command)
  }
  return body
}

function typed(name: string, json: string, command: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new UsageError(`--field ${name}:= must be followed by JSON, not ${JSON.stringify(json)}`, command)
  }
}

/** False if the place is taken by a value of another kind. */
function place(into: Tree | unknown[], [name, ...rest]: string[], value: unknown): boolean {
  const isLast = rest.length === 0
  if (name === '') {
    if (!Array.isArray(into) || !isLast) return false
    into.push(value)
    return true
  }
  if (Array.isArray(into)) return false
  if (isLast) {
    if (name! in into) return false
    into[name!] = value
    return true
  }
  into[name!] ??= rest[0] === '' ? [] : Object.create(null)
  const next = into[name!]
  return typeof next === 'object' && next !== null && place(next as Tree, rest, value)
}
