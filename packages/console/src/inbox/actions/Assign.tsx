import type { Conversation } from '@backline/sdk'
import { useCommands } from '../../app/commands.tsx'
import { useDepartments, useOperatorNames, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { Button } from '../../design/Button.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Picker, type PickerOption } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Header.module.css'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type AssignProps = {
  conversation: Conversation
  mutate(change: ConversationChange): void
  isOffered: boolean
  isOpen: boolean
  onOpenChange(isOpen: boolean): void
}

/** Shows who has the conversation, and hands it to an operator or to a department. */
export function Assign({ conversation, mutate, isOffered, isOpen, onOpenChange }: AssignProps) {
  const text = useTexts(texts)
  const { backline, operator } = useEnvironment()
  const operators = useOperators()
  const departments = useDepartments()
  const operatorName = useOperatorNames()
  const { id, assignee_id, department_id } = conversation
  const who = assignee_id ? (operatorName(assignee_id) ?? assignee_id) : text.unassigned
  const people = operators.data?.filter((each) => !each.archived) ?? []
  const options: PickerOption[] = [
    ...people
      .toSorted((a, b) => Number(b.id === operator.id) - Number(a.id === operator.id))
      .map((each) => ({
        id: each.id,
        label: each.id === operator.id ? text.me(each.name) : each.name,
        detail: text[each.status],
        picture: <Avatar name={each.name} size={22} presence={each.status} />,
        group: text.operators,
        isChecked: each.id === assignee_id,
      })),
    ...(assignee_id
      ? [{ id: 'nobody', label: text.nobody, picture: <Icon name="user" size={22} />, group: text.operators }]
      : []),
    ...(departments.data?.map((each) => ({
      id: each.id,
      label: each.name,
      picture: <Icon name="building" />,
      group: text.departments,
      isChecked: each.id === department_id,
    })) ?? []),
  ]
  const choose = (chosen: string) => {
    const change = chosen.startsWith('dept_')
      ? { department_id: chosen, assignee_id: null }
      : { assignee_id: chosen === 'nobody' ? null : chosen }
    mutate({
      failed: text.assignFailed,
      done:
        chosen === 'nobody'
          ? text.unassigned
          : text.assignedNow(options.find(({ id }) => id === chosen)?.label ?? chosen),
      optimistic: change,
      run: (options) => backline.conversations.assign(id, change, options),
    })
  }
  useCommands(
    isOffered
      ? [
          {
            label: text.assign,
            group: text.conversation,
            icon: 'users',
            shortcut: 'a',
            choices: () =>
              options
                .filter(({ isChecked }) => !isChecked)
                .map((each) => ({
                  name: `assign:${each.id}`,
                  label: text.assignToNamed(each.label),
                  group: text.assign,
                  icon: each.id.startsWith('dept_') ? 'building' : 'user',
                  run: () => choose(each.id),
                })),
            run: () => onOpenChange(true),
          },
        ]
      : [],
  )
  const picture = assignee_id ? <Avatar name={who} size={18} /> : <Icon name="user" />
  if (!isOffered)
    return (
      <span className={styles.fact}>
        {picture} {who}
      </span>
    )
  return (
    <Picker
      trigger={
        <Button variant="plain" className={styles.fact}>
          {picture}
          <span>
            <span className="visually-hidden">{text.assign}: </span>
            {who}
          </span>
        </Button>
      }
      title={text.assignTo}
      options={options}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onSelect={choose}
      isLoading={operators.isPending}
      empty={text.nobodyFound}
    />
  )
}
