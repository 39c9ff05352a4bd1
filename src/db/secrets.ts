import { randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

const secretBytes = 32

/** A secret that all processes on this database share, made by whichever asks for it first. */
export async function installationSecret(db: Db, name: string): Promise<Buffer> {
  await db.write(sql`insert into installation_secrets (name, value) values (${name}, ${randomBytes(secretBytes)})
    on conflict (name) do nothing`)
  const [row] = await db.write<{ value: Buffer }>(
    sql`select value from installation_secrets where name = ${name}`,
  )
  return row!.value
}
