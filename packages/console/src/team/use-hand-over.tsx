import type { Operator } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { optionsOf, useOperators } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { Fault, Fieldset, RadioCard, Select } from '../design/Field.tsx'
import { Notice, Stack } from '../design/Layout.tsx'
import { ErrorState, Loading } from '../design/States.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { type Failure, handOver, leftBy } from './hand-over.ts'
import { texts } from './texts.ts'

type HandOverChoice = 'toDepartment' | 'toColleague' | 'stay'

const mostShown = 5

type Options = {
  /** The first one is chosen at first. */
  choices: [HandOverChoice, ...HandOverChoice[]]
  /** The consequence of a failure, without a full stop. */
  failed: string
  /** Called before the first conversation is handed over. */
  before?(): Promise<unknown>
  /** Called when nothing is left. */
  after(signal: AbortSignal): Promise<unknown>
  /** @returns the text about an error that needs words of its own, or null */
  refusalOf?(error: unknown): string | null
}

/**
 * Asks what becomes of the conversations of an operator, and hands them over. When the component leaves the page, this
 * ends where it is.
 */
export function useHandOver({ id, name }: Pick<Operator, 'id' | 'name'>, options: Options) {
  const { choices, failed } = options
  const text = useTexts(texts)
  const { number } = useFormats()
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const operators = useOperators()
  const others = operators.data?.filter((each) => each.id !== id) ?? []
  const [choice, setChoice] = useState<HandOverChoice>(choices[0])
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
  const total = left.data?.total ?? 0

  async function run(): Promise<void> {
    const isHandedOver = total > 0 && choice !== 'stay'
    if (isHandedOver && choice === 'toColleague' && colleagueId === '')
      return setColleagueFault(text.chooseColleague)
    const { signal } = stopping.current
    setFailures([])
    setRefusal(null)
    setProgress({ done: 0, all: isHandedOver ? total : 0 })
    try {
      if (isHandedOver) {
        await options.before?.()
        const toId = choice === 'toColleague' ? colleagueId : null
        const onProgress = (count: number) => setProgress({ done: count, all: Math.max(count, total) })
        const notHandedOver = await handOver(backline, { fromId: id, toId, onProgress, signal })
        setFailures(notHandedOver)
        if (notHandedOver.length > 0) return
      }
      await options.after(signal)
    } catch (error) {
      if (!signal.aborted) setRefusal(options.refusalOf?.(error) ?? reasonOf(error))
    } finally {
      setProgress(null)
      for (const key of ['operators', 'conversations']) void cache.invalidateQueries({ queryKey: [key] })
    }
  }

  const hints: Record<HandOverChoice, string | null> = {
    toDepartment: text.toDepartmentHint,
    toColleague: null,
    stay: text.stayHint,
  }
  const isBusy = progress !== null
  const fields = (
    <>
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
          <progress max={progress.all} value={progress.done} aria-label={name} />
          <span role="status">{text.handedOver(number(progress.done), number(progress.all))}</span>
        </Stack>
      )}
      <Fault>{refusal && `${failed}: ${refusal}`}</Fault>
      {failures.length > 0 && (
        <Notice tone="bad" role="alert">
          <p>
            {failed}. {text.notHandedOver(number(failures.length))}
          </p>
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
  )
  return { total, isReady: left.isSuccess && operators.isSuccess && !isBusy, run, fields }
}
