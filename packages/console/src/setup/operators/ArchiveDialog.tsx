import type { Operator } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { optionsOf, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Fault, Fieldset, RadioCard, Select } from '../../design/Field.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import type { ArchiveDialogProps } from '../../resource/descriptor.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { isLastAdmin } from './api.ts'
import { type Failure, handOver, leftBy } from './hand-over.ts'
import { texts } from './texts.ts'

const choices = ['toDepartment', 'toColleague', 'stay'] as const
type Choice = (typeof choices)[number]

const mostShown = 5

/**
 * Asks what becomes of the conversations of an operator, hands them over, and archives the operator when all of it is
 * done. Closing the dialog stops this: the operator is not archived then.
 */
export function ArchiveDialog({ item: operator, onClose, onArchived }: ArchiveDialogProps<Operator>) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const cache = useQueryClient()
  const { backline, operator: self } = useEnvironment()
  const { id, name } = operator
  const operators = useOperators()
  const others = operators.data?.filter((each) => each.id !== id) ?? []
  const [choice, setChoice] = useState<Choice>('toDepartment')
  const [colleagueId, setColleagueId] = useState('')
  const [colleagueFault, setColleagueFault] = useState<string | null>(null)
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null)
  const [failures, setFailures] = useState<Failure[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const stopping = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    stopping.current = controller
    return () => controller.abort()
  }, [])
  const left = useQuery({
    queryKey: ['conversations', 'left_by', id],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const query = { ...leftBy(id), limit: 1, include: ['total'] as const }
      const { total = 0, total_is_capped = false } = await backline.conversations.list(query, { signal })
      return { total, text: total_is_capped ? `${number(total)}+` : number(total) }
    },
  })
  const isOnlyAdmin =
    operator.role === 'admin' && operators.isSuccess && !others.some(({ role }) => role === 'admin')
  const isBusy = progress !== null
  const total = left.data?.total ?? 0

  async function archive(): Promise<void> {
    const isHandedOver = total > 0 && choice !== 'stay'
    if (isHandedOver && choice === 'toColleague' && colleagueId === '')
      return setColleagueFault(text.chooseColleague)
    const { signal } = stopping.current
    setFailures([])
    setRefusal(null)
    setProgress({ done: 0, all: isHandedOver ? total : 0 })
    try {
      if (isHandedOver) {
        // Routing would fill the places that become free.
        if (operator.status !== 'offline') await backline.operators.status.set(id, { status: 'offline' })
        const toId = choice === 'toColleague' ? colleagueId : null
        const onProgress = (count: number) => setProgress({ done: count, all: Math.max(count, total) })
        const failed = await handOver(backline, { fromId: id, toId, onProgress, signal })
        setFailures(failed)
        if (failed.length > 0) return
      }
      await backline.operators.update(id, { archived: true }, { signal })
      onArchived()
    } catch (error) {
      if (!signal.aborted) setRefusal(isLastAdmin(error) ? text.lastAdmin : reasonOf(error))
    } finally {
      setProgress(null)
      for (const key of ['operators', 'conversations']) void cache.invalidateQueries({ queryKey: [key] })
    }
  }

  const hints: Record<Choice, string | null> = {
    toDepartment: text.toDepartmentHint,
    toColleague: null,
    stay: text.stayHint,
  }
  return (
    <ActionDialog
      title={text.archiveTitle(name)}
      action={isOnlyAdmin ? undefined : text.archive}
      isDangerous
      isDisabled={!left.isSuccess || !operators.isSuccess || isBusy}
      onSubmit={() => void archive()}
      onClose={onClose}
    >
      {isOnlyAdmin ? (
        <p role="alert">{text.lastAdmin}</p>
      ) : (
        <>
          <p>
            {text.archiveHint} {id === self.id && <strong>{text.archiveSelf}</strong>}
          </p>
          {left.isPending && <Loading lines={2} />}
          {left.isError && <ErrorState error={left.error} onRetry={() => void left.refetch()} />}
          {left.isSuccess && total === 0 && <p>{text.noneLeft}</p>}
          {total > 0 && (
            <Fieldset legend={text.left(total, left.data?.text ?? '')} disabled={isBusy}>
              {choices.map((each) => (
                <RadioCard
                  key={each}
                  name="choice"
                  label={text[each]}
                  hint={hints[each]}
                  checked={choice === each}
                  onChange={() => setChoice(each)}
                />
              ))}
              {choice === 'toColleague' && (
                <Select
                  label={text.colleague}
                  error={colleagueFault}
                  empty={text.choose}
                  options={optionsOf(others)}
                  value={colleagueId}
                  onChange={(event) => {
                    setColleagueId(event.target.value)
                    setColleagueFault(null)
                  }}
                />
              )}
            </Fieldset>
          )}
          {progress && progress.all > 0 && (
            <Stack gap={1}>
              <progress max={progress.all} value={progress.done} aria-label={text.archiveTitle(name)} />
              <span role="status">{text.handedOver(number(progress.done), number(progress.all))}</span>
            </Stack>
          )}
          <Fault>{refusal && `${text.archiveFailed}: ${refusal}`}</Fault>
          {failures.length > 0 && (
            <Notice tone="bad" role="alert">
              <p>{text.notHandedOver(number(failures.length))}</p>
              <ul>
                {failures.slice(0, mostShown).map(({ conversation, error }) => (
                  <li key={conversation.id}>
                    {conversation.subject ?? conversation.id}: {reasonOf(error)}
                  </li>
                ))}
                {failures.length > mostShown && <li>…</li>}
              </ul>
            </Notice>
          )}
        </>
      )}
    </ActionDialog>
  )
}
