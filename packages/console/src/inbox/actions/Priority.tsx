import type { Conversation } from '@backline/sdk'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import { modelTexts, toneOfPriority } from '../model/texts.ts'
import styles from './Header.module.css'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type PriorityProps = {
  conversation: Conversation
  mutate(change: ConversationChange): void
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
}

export function Priority({ conversation, mutate, isOpen, onOpenChange }: PriorityProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { backline, can } = useEnvironment()
  const { id, priority, status } = conversation
  const badge = <Badge tone={toneOfPriority[priority]}>{shared[priority]}</Badge>
  const canChange = status !== 'closed' && can('conversations:write')
  const choose = (chosen: Conversation['priority']) => {
    const change = { priority: chosen }
    mutate({
      failed: text.priorityFailed,
      done: text.priorityNow(shared[chosen]),
      optimistic: change,
      run: (options) => backline.conversations.update(id, change, options),
    })
  }
  useCommands(
    canChange
      ? [
          {
            label: text.priority,
            group: text.conversation,
            icon: 'bolt',
            shortcut: 'p',
            choices: () =>
              priorities
                .filter((each) => each !== priority)
                .map((each) => ({
                  name: `priority:${each}`,
                  label: text.priorityNow(shared[each]),
                  group: text.priority,
                  icon: 'bolt',
                  run: () => choose(each),
                })),
            run: () => onOpenChange(true),
          },
        ]
      : [],
  )
  if (!canChange) return badge
  return (
    <Picker
      trigger={
        <Button variant="plain" className={styles.fact}>
          <span className="visually-hidden">{text.priority}: </span>
          {badge}
        </Button>
      }
      title={text.priority}
      options={priorities
        .toReversed()
        .map((each) => ({ id: each, label: shared[each], isChecked: each === priority }))}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onSelect={(chosen) => choose(chosen as Conversation['priority'])}
      empty=""
    />
  )
}
