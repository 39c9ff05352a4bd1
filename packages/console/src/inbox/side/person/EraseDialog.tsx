import type { EndUser, Erasure, Job } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useSetupPath } from '../../../app/area-paths.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { useWrite } from '../../../data/write.ts'
import { ActionDialog } from '../../../design/ActionDialog.tsx'
import { Fieldset, RadioCard, TextField } from '../../../design/Field.tsx'
import { Notice, Quiet, Stack } from '../../../design/Layout.tsx'
import { Loading } from '../../../design/States.tsx'
import { Counts } from '../../../jobs/Counts.tsx'
import { knownProblem, reasonOf } from '../../../texts/faults.ts'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser } from '../../model/people.ts'
import { privacyTexts } from './privacy-texts.ts'

const modes = ['anonymise', 'delete'] as const

type EraseDialogProps = { person: EndUser; onClose(): void }

/** Shows what an erasure reaches, and erases the person when the name is typed. The page of the job shows the rest. */
export function EraseDialog({ person, onClose }: EraseDialogProps) {
  const text = useTexts(privacyTexts)
  const { backline } = useEnvironment()
  const setupPath = useSetupPath()
  const [, navigate] = useLocation()
  const name = nameOfEndUser(person) ?? person.id
  const [mode, setMode] = useState<Erasure['mode']>('anonymise')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const dryRun = useQuery({
    queryKey: ['erasure_previews', person.id, mode, person.version],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { id } = await backline.endUsers.erase(person.id, { mode, dry_run: true })
      return backline.jobs.wait(id, { signal })
    },
  })
  const erase = useWrite({
    run: () => backline.endUsers.erase(person.id, { mode }),
    refresh: [['jobs', 'list']],
    failed: text.eraseFailed,
    onDone: ({ id }) => navigate(setupPath(`jobs/${id}`)),
  })
  const named = {
    anonymise: [text.anonymise, text.anonymiseHint],
    delete: [text.deleteAll, text.deleteAllHint],
  }
  const submit = () => {
    if (typed.trim() === name.trim()) erase.mutate()
    else setWrong(true)
  }
  const reasons = dryRun.data?.error
    ? knownProblem(dryRun.data.error.code, dryRun.data.error.detail)
    : dryRun.error && reasonOf(dryRun.error)
  return (
    <ActionDialog
      title={text.eraseTitle(name)}
      action={text.eraseAction}
      isDangerous
      isDisabled={!dryRun.isSuccess || Boolean(reasons) || erase.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fieldset legend={text.how}>
        {modes.map((each) => (
          <RadioCard
            key={each}
            name="mode"
            label={named[each][0]}
            hint={named[each][1]}
            checked={mode === each}
            onChange={() => setMode(each)}
          />
        ))}
      </Fieldset>
      <Stack as="section" aria-live="polite">
        <h3>{text.reaches}</h3>
        {dryRun.isPending && <Loading lines={3} />}
        {reasons && (
          <Notice tone="bad" icon="warning">
            <strong>{text.countFailed}</strong>
            <p>{reasons}</p>
          </Notice>
        )}
        {dryRun.data && !reasons && <Counts counts={countsOf(dryRun.data)} />}
        <Quiet as="p">{text.noUndo}</Quiet>
      </Stack>
      <TextField
        label={text.typeName(name)}
        autoComplete="off"
        required
        error={isWrong ? text.notSame : null}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
      />
    </ActionDialog>
  )
}

const countsOf = ({ result }: Job): Record<string, number> => (result?.counts ?? {}) as Record<string, number>
