import { type Connection, type Database, openDatabase } from '../platform/postgres/database.ts'
import type { Optimizations } from './optimizations.ts'

/** Opens the database of a server. @param report called when a connection is lost */
export const openServerDatabase = (
  connection: Connection,
  report: (error: Error) => void,
  { byId, pages, send, statements }: Optimizations,
): Database =>
  openDatabase(connection, report, { reads: { ...byId(), ...pages() }, send, prepare: statements() })
