import { DatabaseSync } from 'node:sqlite'

/** Remembers by key, on the disk: what has been written, and other facts of a fetch. */
export type Known = {
  get(key: string): string | null
  /** The value of a key as of this page. */
  set(key: string, value: string, page: number): void
  commit(): void
  close(): void
}

/** @param pages values of later pages are forgotten: they were not committed */
export function openKnown(file: string, pages: number): Known {
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = full;
    create table if not exists known (key text, page integer, value text, primary key (key, page)) without rowid`)
  db.prepare('delete from known where page > ?').run(pages)
  const read = db.prepare('select value from known where key = ? order by page desc limit 1')
  const write = db.prepare('insert or replace into known values (?, ?, ?)')
  db.exec('begin')
  return {
    get: (key) => (read.get(key)?.value as string | undefined) ?? null,
    set: (key, value, page) => void write.run(key, page, value),
    commit: () => db.exec('commit; begin'),
    close: () => db.close(),
  }
}
