import type { EndUser } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Fieldset, RadioCard } from '../../design/Field.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { Loading } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { nameOfEndUser } from '../../inbox/model/people.ts'
import { PersonPicker } from '../../inbox/new/PersonPicker.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'
import { MergePreview } from './MergePreview.tsx'

type MergeDialogProps = { person: EndUser; onClose(): void; onMerged(intoId: string): void }

/** Merges a person with another one, after a dry run that shows what moves and what is dropped. */
export function MergeDialog({ person, onClose, onMerged }: MergeDialogProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [other, setOther] = useState<EndUser | null>(null)
  const [remainingId, setRemainingId] = useState(person.id)
  const target = other?.id === remainingId ? other : person
  const source = target === person ? other : person
  const nameOf = (each: EndUser) => nameOfEndUser(each) ?? text.noName
  // The external id of the one that goes leads to the one that remains.
  const keepsAlias = Boolean(target.external_id && source?.external_id)
  const body = { into_id: target.id, keep_alias: keepsAlias }
  const dryRun = useQuery({
    queryKey: ['merge_previews', source?.id, source?.version, target.id, target.version],
    gcTime: 0,
    queryFn: source
      ? ({ signal }) => backline.endUsers.merge(source.id, { ...body, dry_run: true }, { signal })
      : skipToken,
  })
  const merge = useWrite({
    run: (from: string) => backline.endUsers.merge(from, body),
    refresh: [['end_users'], ['conversations']],
    failed: text.mergeFailed,
    onDone() {
      toast.done({ title: text.mergeDone(nameOf(target)) })
      onMerged(target.id)
    },
  })
  const choose = (chosen: EndUser | null) => {
    setOther(chosen)
    setRemainingId(chosen && outranks(chosen, person) ? chosen.id : person.id)
  }
  return (
    <ActionDialog
      title={text.mergeTitle(nameOf(person))}
      action={text.merge}
      isDangerous
      isDisabled={!source || !dryRun.isSuccess || merge.isPending}
      onSubmit={() => source && dryRun.isSuccess && merge.mutate(source.id)}
      onClose={onClose}
    >
      <p>{text.mergeHint}</p>
      <PersonPicker label={text.mergeOther} chosen={other} onSelect={choose} exceptId={person.id} />
      {source && other && (
        <>
          <Fieldset legend={text.remaining}>
            {[person, other].map((each) => (
              <RadioCard
                key={each.id}
                name="remaining"
                label={nameOf(each)}
                hint={[each.emails[0]?.address, each.external_id, each.verified_at && text.identityVerified]
                  .filter(Boolean)
                  .join(' · ')}
                checked={each.id === target.id}
                onChange={() => setRemainingId(each.id)}
              />
            ))}
          </Fieldset>
          <Stack as="section" aria-live="polite">
            <h3>{text.whatHappens}</h3>
            {dryRun.isPending && <Loading lines={3} />}
            {dryRun.error && (
              <Notice tone="bad" icon="warning">
                {reasonOf(dryRun.error)}
              </Notice>
            )}
            {dryRun.data && (
              <MergePreview
                merge={dryRun.data}
                alias={keepsAlias ? source.external_id : null}
                name={nameOf(target)}
              />
            )}
            <Quiet as="p">{text.noUndo}</Quiet>
          </Stack>
        </>
      )}
    </ActionDialog>
  )
}

/** Whether the other one rather remains: a verified person cannot be merged into one who is not. */
function outranks(other: EndUser, person: EndUser): boolean {
  const [isVerified, wasVerified] = [other.verified_at !== null, person.verified_at !== null]
  if (isVerified !== wasVerified) return isVerified
  return other.external_id !== null && person.external_id === null
}
