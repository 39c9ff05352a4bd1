import type { Database, Db, Texts } from '@backline/server/platform/postgres/database.ts'

/**
 * Stands between a server and its environments: replaces functions of the handle of each.
 * @param replace gets the functions as they are
 * @returns ends it
 */
export function interceptHomes(db: Database, replace: (own: Db) => Partial<Db>): () => void {
  const { home } = db
  db.home = (tenantId: string, texts?: Texts) => {
    const handle = home(tenantId, texts)
    return Object.assign(handle, replace({ ...handle }))
  }
  return () => {
    db.home = home
  }
}
