import type { Conversation } from '@backline/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommands } from '../../../app/commands.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { useAll } from '../../../data/lists.ts'
import { Button } from '../../../design/Button.tsx'
import { reasonOf } from '../../../design/States.tsx'
import { useToast } from '../../../design/Toast.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { type Choice, Picker } from '../Picker.tsx'
import side from '../Side.module.css'
import { texts as sideTexts } from '../texts.ts'
import { useFresh } from '../use-fresh.ts'
import { Chip } from './Chip.tsx'
import styles from './Tags.module.css'
import { texts } from './texts.ts'

type Change = { add?: string[]; remove?: string[] }

const mostChoices = 50

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const changed = (tags: string[], { add = [], remove = [] }: Change): string[] => [
  ...tags.filter((tag) => !remove.includes(tag)),
  ...add.filter((tag) => !tags.some((each) => isSame(each, tag))),
]

/** The tags of the conversation. Changes show at once, and are taken back if the server refuses them. */
export function Tags({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const group = useTexts(sideTexts).conversation
  const { backline, can } = useEnvironment()
  const { data: known = [], isPending } = useAll(['tags'], () => backline.tags.list({ limit: 100 }))
  const { tags, change } = useTags(conversation)
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const isAllowed = can('conversations:write')
  const open = (next: boolean) => {
    setOpen(next)
    setQuery('')
  }
  useCommands(
    isAllowed ? [{ label: text.add, group, icon: 'tag', shortcut: 't', run: () => open(true) }] : [],
  )
  const wanted = query.trim()
  const choices: Choice[] = known
    .filter(({ name, archived }) => !archived && !tags.some((tag) => isSame(tag, name)))
    .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, mostChoices)
    .map(({ name, color, usage_count }) => ({ value: name, label: name, color, detail: String(usage_count) }))
  if (wanted !== '' && ![...tags, ...known.map(({ name }) => name)].some((name) => isSame(name, wanted)))
    choices.push({ value: wanted, label: text.create(wanted), color: null })
  return (
    <div className={side.stack}>
      {tags.length === 0 && <p className={side.quiet}>{text.none}</p>}
      <ul className={styles.tags} aria-label={group}>
        {tags.map((tag) => (
          <li key={tag}>
            <Chip
              name={tag}
              color={known.find(({ name }) => name === tag)?.color ?? null}
              onRemove={isAllowed ? () => change({ remove: [tag] }) : undefined}
            />
          </li>
        ))}
        {isAllowed && (
          <li>
            <Picker
              title={text.add}
              placeholder={text.find}
              trigger={
                <Button look="plain" icon="plus" className={side.add}>
                  {text.add}
                </Button>
              }
              isOpen={isOpen}
              onOpenChange={open}
              query={query}
              onQuery={setQuery}
              choices={choices}
              isLoading={isPending}
              onChoose={({ value }) => {
                change({ add: [value] })
                open(false)
              }}
            />
          </li>
        )}
      </ul>
    </div>
  )
}

function useTags({ id, tags }: Conversation) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const fresh = useFresh()
  const toast = useToast()
  const [pending, setPending] = useState<Change[]>([])
  const write = useMutation({
    scope: { id: `tags of ${id}` },
    mutationFn: async (change: Change) => backline.conversations.tags.change(id, change),
    onMutate: (change) => setPending((all) => [...all, change]),
    onSuccess: (conversation) => fresh(['conversations', id], conversation),
    onError: (error) => toast.failed({ title: text.notChanged, detail: reasonOf(error) }),
    async onSettled(_result, _error, change) {
      await cache.invalidateQueries({ queryKey: ['conversations', id], exact: true })
      setPending((all) => all.filter((each) => each !== change))
      if (change.add) void cache.invalidateQueries({ queryKey: ['tags'] })
    },
  })
  return { tags: pending.reduce(changed, tags), change: (change: Change) => write.mutate(change) }
}
