import { invalidBody } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Message } from './queries.ts'

type Mentions = Message['mentions']

/**
 * The operators whom a note mentions, each once and in the order given; null for none.
 * @param references gets the faults of ids that `before` does not have, if the operator does not exist or is archived
 */
export async function mentioned(
  references: References,
  ids: readonly string[],
  before: Mentions = null,
): Promise<Mentions> {
  const found = new Set<string>()
  for (const [i, id] of ids.entries()) {
    const kept = before?.find((each) => each === uuidOf('op', id))
    const operatorId = kept ?? (await references.to(operators, `/mentions/${i}`, id))?.id
    if (operatorId) found.add(operatorId)
  }
  return found.size === 0 ? null : [...found]
}

/** The mentions of a note after a patch; none of them if it does not name them. @throws ApiError `validation_failed` */
export async function remention(
  change: Change,
  { author_side, visibility, mentions }: Pick<Message, 'author_side' | 'visibility' | 'mentions'>,
  { mentions: asked }: { mentions?: string[] },
): Promise<Partial<Pick<Message, 'mentions'>>> {
  if (asked === undefined) return {}
  const references = new References(change)
  const after = await mentioned(references, asked, mentions)
  references.check()
  if (after === null || (author_side === 'operator' && visibility === 'internal')) return { mentions: after }
  const detail = 'is allowed only for internal notes of operators'
  throw invalidBody({ pointer: '/mentions', code: 'not_allowed', detail })
}
