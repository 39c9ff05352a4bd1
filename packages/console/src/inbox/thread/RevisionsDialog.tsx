import type { Event, Message, MessageRevision } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useActor } from '../side/history/use-actor.ts'
import { texts } from './texts.ts'

type RevisionsDialogProps = { message: Message; author: string; onClose(): void }

const limit = 100

/** The texts that a message has had, the newest first, with who wrote each and when. */
export function RevisionsDialog({ message, author, onClose }: RevisionsDialogProps) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const query = useQuery({
    queryKey: ['messages', message.id, 'revisions', message.version],
    queryFn: async ({ signal }) => {
      const filter = { resource_id: message.id, types: 'message.updated', limit }
      const [revisions, events] = await Promise.all([
        backline.messages.revisions.list(message.id, { limit }, { signal }),
        can('events:read') ? backline.events.list(filter, { signal }) : { data: [] },
      ])
      return versionsOf(message, revisions.data, events.data)
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title={text.revisions} width="wide" isText>
      <Loaded query={query}>
        {(versions) => (
          <Stack as="ol" gap={4}>
            {versions.map(({ body, at, edit }, i) => (
              <Stack as="li" key={at}>
                <strong>
                  {i === 0 && `${text.now} · `}
                  {at === message.created_at ? (
                    <Written name={author} at={at} />
                  ) : (
                    <WrittenBy edit={edit} at={at} />
                  )}
                </strong>
                <Notice as="blockquote" tone="plain" dir="auto">
                  {body}
                </Notice>
              </Stack>
            ))}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

type Version = {
  body: string
  at: string
  /** The event of the edit that wrote it; there is none for the first, and none is kept for ever. */
  edit: Event | undefined
}

function versionsOf({ body }: Message, revisions: MessageRevision[], events: Event[]): Version[] {
  const editAt = (at: string) => events.find(({ created_at }) => created_at === at)
  const oldestFirst = [...revisions].sort((a, b) => a.version - b.version)
  const last = oldestFirst.at(-1)
  const former = oldestFirst.map((each) => ({
    body: each.body,
    at: each.written_at,
    edit: editAt(each.written_at),
  }))
  const current = last && { body, at: last.replaced_at, edit: editAt(last.replaced_at) }
  return [...former, ...(current ? [current] : [])].reverse()
}

function Written({ name, at }: { name: string; at: string }) {
  const text = useTexts(texts)
  const { moment } = useFormats()
  return text.writtenBy(name, moment(at))
}

function WrittenBy({ edit, at }: { edit: Event | undefined; at: string }) {
  const { moment } = useFormats()
  return edit ? <WrittenByActor edit={edit} at={at} /> : moment(at)
}

function WrittenByActor({ edit, at }: { edit: Event; at: string }) {
  return <Written name={useActor(edit.actor)} at={at} />
}
