import type { Conversation } from '@backline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../../data/environment.tsx'
import { useWrite } from '../../../data/write.ts'
import { ActionDialog } from '../../../design/ActionDialog.tsx'
import { Avatar } from '../../../design/Avatar.tsx'
import { Badge } from '../../../design/Badge.tsx'
import { Button, IconButton } from '../../../design/Button.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser, useEndUserQuery } from '../../model/people.ts'
import { texts as sideTexts } from '../texts.ts'
import { useFresh } from '../use-fresh.ts'
import { AddParticipant } from './AddParticipant.tsx'
import styles from './Participants.module.css'
import { texts } from './texts.ts'

/** The other end users who take part in the conversation. */
export function Participants({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { backline, can } = useEnvironment()
  const fresh = useFresh()
  const [leaving, setLeaving] = useState<{ id: string; name: string } | null>(null)
  const { id, participant_ids: ids, participants } = conversation
  const people = useQueries({ queries: ids.map(useEndUserQuery()) })
  const write = useWrite({
    run: ({ endUserId, isAdded }: { endUserId: string; isAdded: boolean }) =>
      isAdded
        ? backline.conversations.participants.add(id, endUserId)
        : backline.conversations.participants.remove(id, endUserId),
    refresh: [],
    failed: text.notChanged,
    onDone(result) {
      fresh(['conversations', id], result)
      setLeaving(null)
    },
  })
  const isAllowed = can('conversations:write') && conversation.status !== 'closed'
  return (
    <Stack gap={3}>
      {ids.length === 0 && <Quiet as="p">{text.none}</Quiet>}
      <Stack as="ul" gap={1}>
        {ids.map((personId, i) => {
          const data = people[i]?.data
          const name = (data && nameOfEndUser(data)) ?? shared.noName
          const { address = null, confirmed: isConfirmed = true } = participants[i] ?? {}
          return (
            <Row as="li" key={personId} className={styles.person}>
              <Avatar name={name} size={22} />
              <Stack as="span" gap={0} className={styles.names}>
                <span>
                  {name} {!isConfirmed && <Badge tone="warn">{text.notConfirmed}</Badge>}
                </span>
                <AddressOf address={address ?? data?.emails[0]?.address} name={name} />
              </Stack>
              {isAllowed && !isConfirmed && (
                <Button
                  isSmall
                  aria-label={text.confirmNamed(name)}
                  disabled={write.isPending}
                  onClick={() => write.mutate({ endUserId: personId, isAdded: true })}
                >
                  {text.confirm}
                </Button>
              )}
              {isAllowed && (
                <IconButton
                  icon="close"
                  label={text.removeNamed(name)}
                  isSmall
                  onClick={() => setLeaving({ id: personId, name })}
                />
              )}
            </Row>
          )
        })}
      </Stack>
      {isAllowed && (
        <AddParticipant
          taken={[...ids, conversation.end_user_id ?? '']}
          isBusy={write.isPending}
          onAdd={(endUserId) => write.mutate({ endUserId, isAdded: true })}
        />
      )}
      {participants.some(({ confirmed }) => !confirmed) && <small>{text.notConfirmedHint}</small>}
      <ActionDialog
        isOpen={leaving !== null}
        title={text.removeTitle}
        action={text.remove}
        isDangerous
        isDisabled={write.isPending}
        onSubmit={() => leaving && write.mutate({ endUserId: leaving.id, isAdded: false })}
        onClose={() => setLeaving(null)}
      >
        <p>{leaving && text.removeHint(leaving.name)}</p>
      </ActionDialog>
    </Stack>
  )
}

function AddressOf({ address, name }: { address: string | undefined; name: string }) {
  return address && address !== name ? <small>{address}</small> : null
}
