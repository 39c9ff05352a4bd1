import type { Conversation } from '@backline/sdk'
import { useMemo } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useTags } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { Picker } from '../../design/Picker.tsx'
import { TagColor } from '../../design/Tag.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Header.module.css'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type TagsProps = {
  conversation: Conversation
  mutate(change: ConversationChange): void
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
}

const mostShown = 3

/** The tags of the conversation, and a list to add and remove them. */
export function Tags({ conversation, mutate, isOpen, onOpenChange }: TagsProps) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const { data: known, isPending } = useTags()
  const { id, tags } = conversation
  const tagOf = (name: string) => known?.find((each) => each.name === name)
  const toggle = (name: string) => {
    const has = tags.includes(name)
    mutate({
      failed: text.tagsFailed,
      done: has ? text.tagRemoved(name) : text.tagAdded(name),
      optimistic: { tags: has ? tags.filter((tag) => tag !== name) : [...tags, name].sort() },
      run: (options) =>
        backline.conversations.tags.change(id, has ? { remove: [name] } : { add: [name] }, options),
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: An open list keeps its order while tags are chosen.
  const names = useMemo(() => {
    const offered = known?.filter(({ archived }) => !archived).map(({ name }) => name) ?? []
    return [...new Set([...tags, ...offered])]
  }, [id, isOpen, known])
  const options = [...names, ...tags.filter((tag) => !names.includes(tag))].map((name) => ({
    id: name,
    label: name,
    picture: <TagColor color={tagOf(name)?.color ?? null} />,
    note: tagOf(name)?.usage_count.toString(),
    isChecked: tags.includes(name),
  }))
  const canChange = can('conversations:write')
  useCommands(
    canChange
      ? [
          {
            label: text.tags,
            group: text.conversation,
            icon: 'tag',
            shortcut: 't',
            choices: () =>
              names
                .filter((each) => !tags.includes(each))
                .map((each) => ({
                  name: `tag:${tagOf(each)?.id}`,
                  label: text.addTag(each),
                  group: text.tags,
                  icon: 'tag',
                  run: () => toggle(each),
                })),
            run: () => onOpenChange(true),
          },
        ]
      : [],
  )
  const shown = canChange ? tags.slice(0, mostShown) : tags
  const more = tags.length - shown.length
  return (
    <Row className={styles.tags}>
      {shown.map((tag) => {
        const color = tagOf(tag)?.color
        return (
          <span key={tag} className={styles.fact}>
            {color && <TagColor color={color} />}
            {tag}
          </span>
        )
      })}
      {more > 0 && (
        <Button variant="plain" className={styles.fact} onClick={() => onOpenChange(true)}>
          {text.moreTags(more)}
        </Button>
      )}
      {canChange && (
        <Picker
          trigger={<IconButton icon="tag" label={text.changeTags} shortcut="t" isSmall />}
          title={text.tags}
          placeholder={text.findTag}
          options={options}
          isOpen={isOpen}
          onOpenChange={onOpenChange}
          onSelect={toggle}
          isMultiple
          isLoading={isPending}
          createLabel={text.createTag}
          onCreate={toggle}
          empty={text.noTags}
        />
      )}
    </Row>
  )
}
