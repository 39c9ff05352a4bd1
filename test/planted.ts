import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { identifier, sql } from '@backline/server/platform/postgres/sql.ts'
import type { Service } from './harness.ts'

/* Looks for texts in all that a dump of the database has, and in all bytes of files. */

/** Returns where the texts are found, as `table: text` or `file: text`; a table that is added later is searched, too. */
export async function placesOf(api: Pick<Service, 'db' | 'filesDir'>, texts: string[]): Promise<string[]> {
  const [inTables, inFiles] = await Promise.all([tablesWith(api, texts), filesWith(api, texts)])
  return [...inTables, ...inFiles].sort()
}

async function tablesWith({ db }: Pick<Service, 'db'>, texts: string[]): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(sql`select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and n.nspname = any(current_schemas(false)) order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.slowRows<{
      text: string
    }>(sql`select sought.text from unnest(${texts}::text[]) as sought (text)
      where exists (select 1 from ${identifier(name)} one where strpos(lower(one::text), lower(sought.text)) > 0
        or strpos(one::text, encode(convert_to(sought.text, 'UTF8'), 'hex')) > 0)`)
    found.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return found
}

async function filesWith({ filesDir }: Pick<Service, 'filesDir'>, texts: string[]): Promise<string[]> {
  const entries = await readdir(filesDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)) // it was removed meanwhile
    for (const text of texts) if (bytes.includes(text) || path.includes(text)) found.push(`file: ${text}`)
  }
  return found
}
