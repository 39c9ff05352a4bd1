import { ApiError } from '../../../../platform/kernel/errors.ts'

export const statuses = ['draft', 'published', 'archived'] as const
export type Status = (typeof statuses)[number]

/** The state machine: the transitions of each action. Transitions that are not listed are impossible. */
export const lifecycle = {
  publish: { draft: 'published', published: 'published', archived: 'published' },
  unpublish: { published: 'draft' },
  archive: { draft: 'archived', published: 'archived' },
} as const satisfies Record<string, Partial<Record<Status, Status>>>

export type Action = keyof typeof lifecycle

const targetOf = (from: Status, action: Action): Status | undefined =>
  (lifecycle[action] as Partial<Record<Status, Status>>)[from]

/** @throws ApiError `invalid_transition` with the possible actions */
export function transition(from: Status, action: Action): Status {
  const to = targetOf(from, action)
  if (to) return to
  const allowed = (Object.keys(lifecycle) as Action[]).filter((each) => targetOf(from, each))
  throw new ApiError('invalid_transition', { from, action, allowed })
}

/** The jobs of articles. */
export const jobs = { publish: 'kb_publish' } as const
