import type { Actor, Backline } from '@backline/sdk'

/** The work of one person on an article within a short time. */
export type Change = {
  id: string
  type: string
  actor: Actor
  at: string
  fields: string[]
}

/** Text is saved every few seconds: edits of a person that follow each other are one. */
const togetherMs = 20 * 60_000

/** Consequences of changes, which say nothing about the text. */
const silent = new Set(['has_unpublished_changes', 'body_html', 'version', 'updated_at', 'status'])
const mostEvents = 5_000

/** The changes of an article, the latest first. Events hold whole texts, so only what is shown is kept of them. */
export async function readChanges(backline: Backline, id: string, signal: AbortSignal): Promise<Change[]> {
  const changes: Change[] = []
  let read = 0
  for await (const event of backline.events.list({ resource_id: id, limit: 100 }, { signal })) {
    if (!('previous' in event.data)) continue
    const fields = Object.keys(event.data.previous).filter((name) => !silent.has(name))
    const next = { id: event.id, type: event.type, actor: event.actor, at: event.created_at, fields }
    const last = changes.at(-1)
    if (last && belongTogether(last, next)) {
      last.at = next.at
      last.fields = [...new Set([...last.fields, ...fields])]
    } else changes.push(next)
    if (++read >= mostEvents) break
  }
  return changes.reverse()
}

const belongTogether = (last: Change, next: Change): boolean =>
  last.type === 'kb_article.updated' &&
  next.type === last.type &&
  last.actor.id === next.actor.id &&
  Date.parse(next.at) - Date.parse(last.at) < togetherMs
