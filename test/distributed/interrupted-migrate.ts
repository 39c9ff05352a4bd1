import { migrate } from '@backline/server/platform/postgres/migrate.ts'
import pg from 'pg'

/*
 * Migrates the database of DATABASE_URL. The process is killed as soon as it has sent the command of this number, so
 * that PostgreSQL may or may not carry it out. Queries of the catalog do not count.
 */
let left = Number(process.argv[2])
const isQuery = (text: unknown) => /^select (?!create_)/.test(String(text))

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const result = Reflect.apply(query, this, args)
  if (!isQuery(args[0]) && --left === 0) process.kill(process.pid, 'SIGKILL')
  return result
}

await migrate(process.env.DATABASE_URL!)
