import type { Conversation } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useOperatorNames, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Followers.module.css'
import { texts } from './texts.ts'
import { useFollow } from './use-follow.ts'

const mostShown = 3
/** A conversation has at most so many. */
const mostFollowers = 50

/** The operators who follow the conversation, and a list to let oneself and colleagues follow it. */
export function Followers({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { backline, operator, can } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const [hasToggled, setToggled] = useState(false)
  const nameOf = useOperatorNames()
  const operators = useOperators()
  const follow = useFollow(conversation.id)
  const { id, follower_ids: followers = [] } = conversation
  const isFollowing = followers.includes(operator.id)
  const canChange = can('conversations:write') && conversation.merged_into_id === null
  const { data: sources } = useQuery({
    queryKey: ['conversations', id, 'followers', followers],
    enabled: isOpen,
    queryFn: async ({ signal }) => {
      const query = { limit: mostFollowers }
      const { data } = await backline.conversations.followers.list(id, query, { signal })
      return new Map(data.map(({ operator_id, source }) => [operator_id, source]))
    },
  })
  useCommands(
    canChange
      ? [
          {
            label: isFollowing ? text.unfollow : text.follow,
            group: text.conversation,
            icon: 'star',
            shortcut: 'w',
            run() {
              setToggled(true)
              follow(operator.id, !isFollowing)
            },
          },
        ]
      : [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: An open list keeps its order while some are chosen.
  const offered = useMemo(() => {
    const place = (each: string) => (each === operator.id ? 0 : followers.includes(each) ? 1 : 2)
    return (operators.data ?? []).toSorted((a, b) => place(a.id) - place(b.id))
  }, [id, isOpen, operators.data])
  const names = followers.flatMap((each) => nameOf(each) ?? [])
  const label = names.length > 0 ? text.followersNamed(names.join(', ')) : text.followers
  const shown = (
    <>
      <Icon name="star" />
      {names.length > 0 && (
        <span className={styles.avatars}>
          {names.slice(0, mostShown).map((name, i) => (
            <Avatar key={followers[i]} name={name} size={18} />
          ))}
        </span>
      )}
      {names.length > mostShown && <span aria-hidden="true">+{names.length - mostShown}</span>}
      <span className="visually-hidden">{label}</span>
    </>
  )
  const look = classes(styles.followers, isFollowing && styles.own)
  if (!canChange) return names.length > 0 && <span className={look}>{shown}</span>
  return (
    <>
      <Picker
        trigger={
          <Button variant="plain" className={look} title={label}>
            {shown}
          </Button>
        }
        title={text.findFollower}
        isMultiple
        options={offered.map((each) => {
          const source = sources?.get(each.id)
          return {
            id: each.id,
            label: each.id === operator.id ? text.me(each.name) : each.name,
            detail: source === 'mention' || source === 'reply' ? text[source] : undefined,
            keywords: each.email,
            picture: <Avatar name={each.name} size={22} presence={each.status} />,
            isChecked: followers.includes(each.id),
          }
        })}
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={(each) => follow(each, !followers.includes(each))}
        isLoading={operators.isPending}
        empty={text.nobodyFound}
      />
      <span role="status" className="visually-hidden">
        {hasToggled && (isFollowing ? text.youFollow : text.youDoNot)}
      </span>
    </>
  )
}
