import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { clean, cut, fitted } from './fit.ts'
import { type Folder, fileNames } from './folder.ts'
import { markdownOf } from './html.ts'
import type { SourceClient } from './http.ts'
import { nameIn } from './ids.ts'
import type { Draft, Line, Reason, RemoteFile, Source, Writer } from './source.ts'

/** An attachment whose bytes are in the folder. */
type Attachment = {
  path: string
  filename: string
  content_type?: string
  disposition: 'attachment' | 'inline'
}

/** The types that these members refer to. An end user or operator that no line describes is created by the server. */
const references = {
  department_external_id: 'department',
  company_external_id: 'company',
  company_external_ids: 'company',
  follow_up_of_external_id: 'conversation',
  merged_into_external_id: 'conversation',
}

const longestBody = 65_536
const mostFiles = 25

/** Fits objects to the limits of the API, fetches the files of messages, and writes the lines. */
export function openWriter(
  folder: Folder,
  source: Source,
  client: SourceClient,
  base: string,
  progress: () => void,
): Writer {
  const lose = (type: string, id: string | number, reason: Reason, detail: string) =>
    folder.lose({ source_type: type, source_id: String(id), reason, detail })
  const put = (line: Line) => {
    const known = withKnown(line)
    folder.write(fitted(known, (reason, detail) => lose(line.type, line.external_id, reason, detail)))
    progress()
  }

  /** The line without references to what is not in the copy: the server would refuse it as a whole. */
  function withKnown(line: Line): Line {
    const known: Line = { ...line }
    const aside: Record<string, string> = {}
    for (const [member, type] of Object.entries(references)) {
      const given = [known[member] ?? []].flat() as string[]
      const missing = given.filter((id) => !folder.has(type, id))
      if (missing.length === 0) continue
      aside[`${source.name}_${member.replace(/_external_ids?$/, '')}`] = missing.join(', ')
      lose(
        line.type,
        line.external_id,
        'reference_missing',
        `${type} ${missing.join(', ')} is not in the copy`,
      )
      known[member] = Array.isArray(known[member]) ? given.filter((id) => !missing.includes(id)) : null
    }
    return { ...known, metadata: { ...(line.metadata as object), ...aside } }
  }

  /** Fetches a file; null if there is none. A file of an earlier run is used. */
  async function fetched(file: RemoteFile, message: string, isInline: boolean): Promise<Attachment | null> {
    const filename =
      cut(
        clean(file.filename)
          .replace(/[\r\n]+/g, ' ')
          .trim(),
        255,
      ) || 'file'
    const path = pathOf(`${message} ${file.id}`, filename)
    const place = join(folder.path, path)
    if (!existsSync(place)) {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
      const reason = await client.download(file.url, place)
      if (reason !== null) {
        lose('message', message, 'file_missing', `${filename}: ${reason}`)
        return null
      }
    }
    const type = file.contentType?.trim()
    return {
      path,
      filename,
      ...(type ? { content_type: cut(type, 255) } : {}),
      disposition: isInline ? 'inline' : 'attachment',
    }
  }

  async function messageOf(draft: Draft, conversation: string): Promise<Line | null> {
    const files = [...draft.files]
    const inline = new Map<string, RemoteFile>()
    /** The file of an image in the HTML: a file of the message, or one that the source hosts. */
    const find = (src: string, description: string): string | null => {
      const file =
        files.find(({ url, contentId }) => url === src || (contentId && src === `cid:${contentId}`)) ??
        hostedImage(src, description)
      if (!file) return null
      if (!files.includes(file)) files.push(file)
      inline.set(src, file)
      return imageMark(src)
    }
    const hostedImage = (src: string, description: string): RemoteFile | undefined => {
      const url = /^(?:https?:|\/)/.test(src) ? URL.parse(src, base) : null
      if (!url || !source.hostsImage?.(url, base)) return undefined
      const filename = url.searchParams.get('name') || nameIn(url.href) || description.trim() || 'image'
      return { id: digestOf(src), url: url.href, filename }
    }
    let body = clean(draft.html ? markdownOf(draft.html, find) : (draft.text ?? '')).trim()

    if (files.length > mostFiles)
      lose('message', draft.id, 'truncated', `${files.length} files; ${mostFiles} are kept`)
    const isShown = new Set([...inline.values(), ...files.filter(({ isInline }) => isInline)])
    const attachments: Attachment[] = []
    const places = new Map<RemoteFile, string>()
    for (const file of files.slice(0, mostFiles)) {
      const attachment = await fetched(file, draft.id, isShown.has(file))
      if (!attachment) continue
      attachments.push(attachment)
      places.set(file, attachment.path)
    }
    for (const [src, file] of inline) {
      const place = places.get(file)
      body = place
        ? body.replaceAll(imageMark(src), `file:${place}`)
        : body.replaceAll(new RegExp(`!\\[([^\\]]*)\\]\\(${imageMark(src)}\\)`, 'g'), '$1')
    }
    if (body.length > longestBody) {
      lose('message', draft.id, 'truncated', `body has ${body.length} characters; all of it is in a file`)
      if (attachments.length < mostFiles) attachments.push(keepWhole(body, draft.id))
      body = cut(body, longestBody)
    }
    if (body === '' && attachments.length === 0) {
      lose('message', draft.id, 'empty', 'neither a text nor a file that can be read')
      return null
    }
    return {
      type: 'message',
      external_id: draft.id,
      conversation_external_id: conversation,
      ...draft.author,
      body,
      body_format: draft.html ? 'markdown' : 'text',
      visibility: draft.isInternal ? 'internal' : 'public',
      created_at: draft.created_at,
      ...(draft.metadata ? { metadata: draft.metadata } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
    }
  }

  function keepWhole(body: string, message: string): Attachment {
    const path = pathOf(`${message} body`, 'message.md')
    mkdirSync(dirname(join(folder.path, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder.path, path), body, { mode: 0o600 })
    return { path, filename: 'message.md', content_type: 'text/plain', disposition: 'attachment' }
  }

  return {
    put,
    lose,
    async conversation(line, drafts) {
      const messages: Line[] = []
      for (const draft of inOrder(drafts)) {
        const message = await messageOf(draft, line.external_id)
        if (message) messages.push(message)
      }
      put(line)
      for (const message of messages) put(message)
    },
    isCurrent: (id, state) => folder.recall(`state ${id}`) === digestOf(JSON.stringify(state)),
    setCurrent: (id, state) => folder.remember(`state ${id}`, digestOf(JSON.stringify(state))),
    remember: (key, value) => folder.remember(`fact ${key}`, value),
    recall: (key) => folder.recall(`fact ${key}`),
    has: folder.has,
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20)

/** Stands for the address of an image until its file is there. */
const imageMark = (src: string): string => `pending-image:${digestOf(src)}`

/** The place of a file, with letters that Markdown does not interpret. */
function pathOf(key: string, filename: string): string {
  const digest = digestOf(key)
  const extension = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(filename))?.[0].toLowerCase() ?? ''
  return `${fileNames.files}/${digest.slice(0, 2)}/${digest}${extension}`
}

/** Sorts by time; those of one time stay as they are. */
const inOrder = (drafts: Draft[]): Draft[] =>
  drafts.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
