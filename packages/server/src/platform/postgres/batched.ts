import { Batches } from '../kernel/batches.ts'
import type { Db } from './database.ts'
import { stateOf } from './process-state.ts'

/** The answers of a larger batch would occupy the connection, and this process, for too long. */
export const mostTogether = 64

/**
 * Makes a query of one whose statement answers several questions about an environment, in their order: those that are
 * asked in one turn of the event loop share the statement.
 */
export function batched<Question, Answer>(
  query: (db: Db, tenantId: string, questions: Question[]) => Promise<Answer[]>,
  most = mostTogether,
): (db: Db, tenantId: string, question: Question) => Promise<Answer> {
  const make = () => new Batches<Question, Answer>(most)
  return (db, tenantId, question) =>
    stateOf(db, make).ask(tenantId, question, (questions) => query(db, tenantId, questions))
}
