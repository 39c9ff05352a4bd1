import { randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import { sql } from './sql.ts'

const secretBytes = 32

/**
 * A secret that all processes of a database share. The first process that requests it stores it.
 * @param value the secret to store if none exists
 */
export async function installationSecret(
  db: Db,
  name: string,
  value: Buffer = randomBytes(secretBytes),
): Promise<Buffer> {
  await db.write(sql`insert into installation_secrets (name, value) values (${name}, ${value})
    on conflict (name) do nothing`)
  return (await findInstallationSecret(db, name))!
}

/** The stored secret; null if there is none. */
export async function findInstallationSecret(db: Pick<Db, 'write'>, name: string): Promise<Buffer | null> {
  const [row] = await db.write<{ value: Buffer }>(
    sql`select value from installation_secrets where name = ${name}`,
  )
  return row?.value ?? null
}
