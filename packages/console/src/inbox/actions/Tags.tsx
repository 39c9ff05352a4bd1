import type { Conversation } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { IconButton } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Header.module.css'
import { texts } from './texts.ts'
import type { Act } from './use-act.ts'

type TagsProps = {
  conversation: Conversation
  act(act: Act): void
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
}

export function Tags({ conversation, act, isOpen, onOpenChange }: TagsProps) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const all = useAll(['tags'], () => backline.tags.list({ limit: 100 }))
  const { id, tags } = conversation
  const toggle = (name: string) => {
    const has = tags.includes(name)
    act({
      failed: text.tagsFailed,
      shown: { tags: has ? tags.filter((tag) => tag !== name) : [...tags, name].sort() },
      run: (options) =>
        backline.conversations.tags.change(id, has ? { remove: [name] } : { add: [name] }, options),
    })
  }
  const names = [...new Set([...tags, ...(all.data?.map(({ name }) => name) ?? [])])]
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
      {can('conversations:write') && (
        <Picker
          trigger={<IconButton icon="tag" label={text.changeTags} shortcut="t" className={styles.small} />}
          title={text.tags}
          options={names.map((name) => ({ id: name, label: name, isChecked: tags.includes(name) }))}
          isOpen={isOpen}
          onOpenChange={onOpenChange}
          onChoose={toggle}
          isMultiple
          isLoading={all.isPending}
          createLabel={text.createTag}
          onCreate={toggle}
          empty={text.noTags}
        />
      )}
    </>
  )
}
