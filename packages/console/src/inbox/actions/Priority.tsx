import type { Conversation } from '@backline/sdk'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import { modelTexts } from '../model/texts.ts'
import styles from './Header.module.css'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type PriorityProps = {
  conversation: Conversation
  mutate(change: ConversationChange): void
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
}

/** The priority, quiet unless it is raised, and a list to choose another one. */
export function Priority({ conversation, mutate, isOpen, onOpenChange }: PriorityProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { backline, can } = useEnvironment()
  const { id, priority, status } = conversation
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
  const isRaised = priority === 'high' || priority === 'urgent'
  const looks = classes(styles.fact, isRaised && styles[priority])
  const shown = (
    <>
      {isRaised && <Icon name="bolt" size={12} />}
      <span>
        <span className="visually-hidden">{text.priority}: </span>
        {shared[priority]}
      </span>
    </>
  )
  if (!canChange) return <span className={looks}>{shown}</span>
  return (
    <Picker
      trigger={
        <Button variant="plain" className={looks}>
          {shown}
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
