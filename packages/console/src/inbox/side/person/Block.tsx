import type { EndUser } from '@backline/sdk'
import { useCommands } from '../../../app/commands.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { useWrite } from '../../../data/write.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Layout.tsx'
import { useToast } from '../../../design/Toast.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { useFresh } from '../use-fresh.ts'
import { BlockDialog } from './BlockDialog.tsx'
import { texts } from './texts.ts'

type BlockProps = { person: EndUser; isAsked: boolean; onAnswer(): void }

/** The block of a person, and what ends it. */
export function Block({ person, isAsked, onAnswer }: BlockProps) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const { moment } = useFormats()
  const fresh = useFresh()
  const toast = useToast()
  const unblock = useWrite({
    run: () => backline.endUsers.unblock(person.id),
    refresh: [],
    failed: text.notUnblocked,
    onDone(result) {
      fresh(['end_users', person.id], result)
      toast.done({ title: text.unblockedDone })
    },
  })
  const { status, block } = person
  const isAllowed = can('end_users:write')
  const canUnblock = isAllowed && status === 'blocked'
  useCommands(canUnblock ? [{ label: text.unblock, group: text.endUser, run: () => unblock.mutate() }] : [])
  return (
    <>
      {status === 'blocked' && block && (
        <Notice tone="bad">
          <strong>
            {block.until ? text.blockedUntil(moment(block.until)) : text.blockedSince(moment(block.since))}
          </strong>
          {block.reason && <p>{block.reason}</p>}
          {canUnblock && (
            <div>
              <Button disabled={unblock.isPending} onClick={() => unblock.mutate()}>
                {text.unblock}
              </Button>
            </div>
          )}
        </Notice>
      )}
      {isAsked && <BlockDialog person={person} onClose={onAnswer} />}
    </>
  )
}
