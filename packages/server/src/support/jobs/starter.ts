import type { Environment } from '../../platform/kernel/environment.ts'
import { typeId, uuidOf } from '../../platform/kernel/ids.ts'
import { covers } from '../../platform/resource/scopes.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import type { RequestFacts } from '../../platform/unit-of-work/request.ts'
import { principalOf } from '../vocabulary/principal.ts'
import { allScopes } from '../vocabulary/scopes.ts'
import type { Job, Starter } from './queries.ts'

/** The actor and request of a change that starts a job. */
export function starterOf({ ctx: { principal, request } }: Change): Starter {
  const { actor, viewerId, allows } = principal
  return {
    actor,
    viewerId,
    scopes: allows('*') ? ['*'] : allScopes.filter((scope) => allows(scope)),
    ip: request?.ip ?? null,
    userAgent: request?.userAgent ?? null,
    idempotencyKey: request?.idempotency?.key ?? null,
  }
}

/** The context of a job's changes: they are made in the name of its starter, and the job is their request. */
export function contextOf(own: Ctx, { id, starter }: Job): Ctx {
  const scopes = new Set(starter.scopes)
  return {
    ...own,
    principal: principalOf({
      environment: own.env,
      actor: starter.actor,
      credential: null,
      token: '',
      holderId: '',
      countedAs: 'network',
      viewerId: starter.viewerId,
      allows: (scope) => covers(scopes, scope),
    }),
    request: requestOf(id, starter),
  }
}

const requestOf = (id: string, { ip, userAgent, idempotencyKey }: Starter): RequestFacts => ({
  id: typeId('job', id),
  ip: ip ?? '',
  userAgent,
  ifMatch: null,
  sharesStatements: false,
  idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: noFingerprint },
  respond: () => {
    throw new Error('A job has no response')
  },
})

/** Jobs store no idempotency key. */
const noFingerprint = Buffer.alloc(0)

export const environmentAt = (env: Environment, clockOffsetMs: number): Environment => ({
  ...env,
  clockOffsetMs,
})

export const operatorOf = ({ actor }: Starter): string | null =>
  actor.operator_id === null ? null : uuidOf('op', actor.operator_id)
