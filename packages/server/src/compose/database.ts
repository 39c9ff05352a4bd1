import type { EmbeddedPostgres } from '@backline/embedded-postgres'
import type { Logger } from 'pino'
import { onRaised } from '../platform/journal/heads.ts'
import { counter, gauge, gauges, type Metrics, total } from '../platform/kernel/metrics.ts'
import { type Connection, type Database, openDatabase } from '../platform/postgres/database.ts'
import type { PoolState } from '../platform/postgres/pipelines.ts'
import type { Optimizations } from './optimizations.ts'

/**
 * Opens the database of a server.
 * @param report called when a connection is lost
 * @param onHost called with the host that is used, of several
 */
export const openServerDatabase = (
  connection: Connection,
  report: (error: Error) => void,
  { byId, pages, shared, statements }: Optimizations,
  onHost: (name: string) => void = () => undefined,
): Database =>
  openDatabase(connection, report, {
    reads: { ...byId(), ...pages(), ...shared() },
    prepare: statements(),
    onHost,
  })

/** Registers the metrics of the connections. */
export function measureDatabase(metrics: Metrics, db: Database): void {
  const pools = (name: string, help: string, of: (state: PoolState) => number) =>
    gauges(
      metrics,
      { name, help, label: 'pool' },
      () => new Map(Object.entries(db.pools()).map(([pool, state]) => [pool, of(state)])),
    )
  pools('backline_database_connections_max', 'Maximum number of connections.', ({ most }) => most)
  pools('backline_database_connections_open', 'Open connections.', ({ open }) => open)
  pools(
    'backline_database_connections_idle',
    'Open connections without a statement in progress.',
    ({ idle }) => idle,
  )
  pools(
    'backline_database_statements_waiting',
    'Statements that wait behind another one on their connection, or for a connection.',
    ({ waiting }) => waiting,
  )
  const lost = {
    name: 'backline_database_connections_lost_total',
    help: 'Connections that the database or the network has ended.',
  }
  total(metrics, lost, () => db.losses())
}

/** Logs and counts the heads of journals that a position beyond them has raised. */
export function observeHeads(metrics: Metrics, log: Logger, db: Database): void {
  const raised = counter(metrics, {
    name: 'backline_journal_heads_raised_total',
    help: 'Heads of journals that were below a position which a reader had seen, as after a failover, and were raised.',
    labels: [],
  })
  onRaised(db, (tenantId, microseconds) => {
    raised.inc()
    const facts = { tenant_id: tenantId, ms: Math.round(microseconds / 1_000) }
    log.warn(
      facts,
      'the journal was behind a position that a reader had seen, as after a failover; its head was raised',
    )
  })
}

/** Registers the metrics of the embedded PostgreSQL. */
export function measureEmbedded(metrics: Metrics, { state }: EmbeddedPostgres): void {
  const up = { name: 'backline_embedded_postgres_up', help: 'Whether the embedded PostgreSQL runs: 1 or 0.' }
  gauge(metrics, up, () => Number(state().isUp))
  const restarts = {
    name: 'backline_embedded_postgres_restarts_total',
    help: 'Restarts of the embedded PostgreSQL after it had ended unexpectedly.',
  }
  total(metrics, restarts, () => state().restarts)
}
