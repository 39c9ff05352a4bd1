import type { Walk } from '../../integration/erasing/streams.ts'

export const erasureModes = ['anonymise', 'delete'] as const
export type ErasureMode = (typeof erasureModes)[number]

/** Rows by table. */
export type Counts = Record<string, number>

/** The steps of an erasure, in order. */
export const steps = [
  'jobs',
  'senders',
  'identity',
  'sessions',
  'files',
  'votes',
  'linking',
  'conversations',
  'mails',
  'events',
  'records',
  'session_events',
  'previews',
  'end',
] as const
export type Step = (typeof steps)[number]

/** How far an erasure is: JSON without any data of the person. */
export type ErasureState = {
  /** UUID. */
  end_user_id: string
  mode: ErasureMode
  step: Step
  /** Within the step: the id up to which all is done, or null. */
  after: string | null
  /** The messages of the next conversation up to this sequence are done; of the job `after`, the results up to it. */
  after_sequence: number
  /** Conversations whose deletion has begun. */
  deleting: string[]
  /** Files whose events are to be emptied. */
  files: string[]
  /** Jobs whose params named the person: their events are to be emptied. */
  jobs: string[]
  walk: Walk
  /** The rows that were changed or deleted so far. */
  counts: Counts
  audit_head_before: string | null
}

/** The state at the beginning of the next step. */
export const nextStep = (state: ErasureState): ErasureState => ({
  ...state,
  step: steps[steps.indexOf(state.step) + 1]!,
  after: null,
  after_sequence: 0,
  walk: { streams: [], after: null },
})

/** Adds to the counts. */
export const counting = (state: ErasureState, more: Counts): ErasureState => ({
  ...state,
  counts: Object.fromEntries(
    [...new Set([...Object.keys(state.counts), ...Object.keys(more)])]
      .map((table) => [table, (state.counts[table] ?? 0) + (more[table] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  ),
})
