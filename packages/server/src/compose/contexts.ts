import { type Clock, toInstant } from '../platform/kernel/clock.ts'
import type { Environment } from '../platform/kernel/environment.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Ctx, Services, Writes } from '../platform/unit-of-work/context.ts'
import { systemPrincipal } from '../support/vocabulary/principal.ts'
import { openPlainWrites } from './writes.ts'

/** A context for changes by the server itself. */
export const systemContext = (
  { db, clock, writes, services }: { db: Db; clock: Clock; writes: Writes; services: Services },
  env: Environment,
): Ctx => ({
  db: db.home(env.tenantId),
  span: null,
  env,
  principal: systemPrincipal(env),
  now: () => toInstant(clock() + env.clockOffsetMs),
  request: null,
  writes,
  services,
})

/** A context for changes by commands, and by the first start. */
export const commandContext = (db: Db, clock: Clock, env: Environment): Ctx =>
  systemContext({ db, clock, writes: openPlainWrites(db), services: noServices }, env)

const noServices = new Proxy({} as Services, {
  get(_, name) {
    throw new Error(`A command has no service ${String(name)}`)
  },
})
