import { randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import { comma, identifier, join, limitTo, sql } from './sql.ts'

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

/** Stores two secrets in one statement, in place of those that have these names. */
export const replaceInstallationSecrets = (db: Db, [one, other]: [Named, Named]) =>
  db.write(sql`insert into installation_secrets (name, value)
    values (${one.name}, ${one.value}), (${other.name}, ${other.value})
    on conflict (name) do update set value = excluded.value`)
type Named = { name: string; value: Buffer }

export const deleteInstallationSecret = (db: Db, name: string) =>
  db.write(sql`delete from installation_secrets where name = ${name}`)

/** Encrypted columns of a table. The id of the row is the place of each value (kernel/secret-box.ts). */
export type SealedColumns = { table: string; columns: string[] }
export type SealedRow = { tenant_id: string; id: string } & Record<string, Buffer | string | null>

/** Rows of all environments in the order of their keys. @param after the last row before; null begins */
export const sealedRows = (
  db: Db,
  { table, columns }: SealedColumns,
  after: { tenant_id: string; id: string } | null,
  limit: number,
): Promise<SealedRow[]> => {
  const further = after
    ? sql`where (t.tenant_id, t.id) > (${after.tenant_id}::uuid, ${after.id}::uuid)`
    : sql``
  const shown = join(
    columns.map((column) => sql`t.${identifier(column)}`),
    comma,
  )
  return db.slowRows(sql`select t.tenant_id, t.id, ${shown}
    from journal_heads h join ${identifier(table)} t on t.tenant_id = h.tenant_id ${further}
    order by t.tenant_id, t.id ${limitTo(limit)}`)
}

/** Replaces an encrypted value, unless it has changed since it was read. */
export const replaceSealed = (
  db: Db,
  table: string,
  column: string,
  { tenant_id, id, [column]: former }: SealedRow,
  value: Buffer,
) =>
  db.home(tenant_id).write(sql`update ${identifier(table)} set ${identifier(column)} = ${value}
    where tenant_id = ${tenant_id} and id = ${id} and ${identifier(column)} = ${former}`)
