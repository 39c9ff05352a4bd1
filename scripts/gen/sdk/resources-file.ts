import { type Operation, operations } from './document.ts'
import { camel, type MethodName, methodOf, pascal } from './names.ts'
import { bodyTypeOf, importOfTypes, queryNameOf, replyOf } from './operations-file.ts'
import { commentOf, typeOf } from './types.ts'
import { heading } from './types-file.ts'

type Group = { path: MethodName; groups: Map<string, Group>; methods: Map<string, Operation> }

/** `resources.generated.ts`: a class for each group of operations, with a method for each operation. */
export function resourcesFile(): string {
  const root: Group = { path: [], groups: new Map(), methods: new Map() }
  for (const operation of operations) {
    const name = methodOf(operation)
    if (name) add(root, name, operation)
  }
  const classes = classesOf(root).join('\n')
  const queries = operations.filter(({ query }) => query.length > 0).map(queryNameOf)
  const usedQueries = queries.filter((name) => classes.includes(`: ${name},`)).sort()
  return `${heading}
import type { UploadBytes } from './bytes.ts'
import type { EventStream, MeEvent } from './event-stream.ts'
import type { LineStream } from './line-stream.ts'
import type { ${usedQueries.join(', ')} } from './operations.generated.ts'
import type { RequestOptions } from './options.ts'
import type { ListReply, Reply } from './reply.ts'
import { Resource } from './resource.ts'
import { type NewUpload, upload } from './upload.ts'
import { waitForJob, type WaitOptions } from './wait.ts'
${importOfTypes(classes)}
${classes}`
}

function add(root: Group, name: MethodName, operation: Operation): void {
  let group = root
  for (const part of name.slice(0, -1)) {
    const path = [...group.path, part]
    const next = group.groups.get(part) ?? { path, groups: new Map(), methods: new Map() }
    group.groups.set(part, next)
    group = next
  }
  const method = name.at(-1)!
  if (group.methods.has(method))
    throw new Error(`Two operations are named ${name.join('.')}: ${operation.id}`)
  group.methods.set(method, operation)
}

/** A group comes after the groups in it, because a class is used after its declaration. */
function classesOf(group: Group): string[] {
  const { path, groups, methods } = group
  const fields = [...groups].map(
    ([name, { path }]) => `  readonly ${name} = new ${classNameOf(path)}(this.client)\n`,
  )
  const members = [...methods].map(([name, operation]) => methodText(name, operation))
  const completed = methods.get('complete')?.reply
  if (completed && methods.has('create')) members.push(uploadText(typeOf(completed)))
  if (path.join('.') === 'jobs') members.push(waitText)
  return [
    ...[...groups.values()].flatMap(classesOf),
    `export class ${classNameOf(path)} extends Resource {\n${[fields.join(''), ...members].filter(Boolean).join('\n')}}\n`,
  ]
}

const classNameOf = (path: MethodName): string =>
  path.length === 0 ? 'Resources' : `${pascal(path)}Resource`

function methodText(name: string, operation: Operation): string {
  const { id, params, query, isQueryRequired, body, isBodyRequired } = operation
  const positional = params.map((param) => `${camel(param)}: string`)
  const members = params.length > 0 ? [`params: { ${params.map(memberOf).join(', ')} }`] : []
  if (body) {
    positional.push(isBodyRequired ? `body: ${bodyTypeOf(operation)}` : `body?: ${typeOf(body)}`)
    members.push('body')
  }
  if (query.length > 0) {
    positional.push(`query${isQueryRequired ? '' : '?'}: ${queryNameOf(operation)}`)
    members.push('query')
  }
  const input = members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
  return `${commentOf(operation.documentation, '  ')}  ${name}(${[...positional, 'options?: RequestOptions'].join(', ')}): ${replyOf(operation)} {
    return this.client.call('${id}', ${input}, options)
  }
`
}

/** The method of a group that creates and completes files. It consists of several requests (`upload.ts`). */
const uploadText = (type: string): string => `${commentOf(
  'Upload a file.\n\nCreates the file, sends its bytes, and completes it, with retries. Returns the file, which messages can use: it is `ready`, or `scanning`. Throws `FileRejectedError` if the bytes are refused.',
  '  ',
)}  upload(bytes: UploadBytes, file?: NewUpload, options?: RequestOptions): Promise<${type}> {
    return upload(this.client, this, bytes, file, options)
  }
`

/** The method of jobs that consists of several requests (`wait.ts`). */
const waitText = `${commentOf(
  'Wait for a job.\n\nAsks for the job until it has ended, and returns it, whatever its status is then. `onProgress` is called whenever it has come further.',
  '  ',
)}  wait(id: string, options?: WaitOptions): Promise<Job> {
    return waitForJob(this, id, options)
  }
`

const memberOf = (param: string): string => (camel(param) === param ? param : `${param}: ${camel(param)}`)
