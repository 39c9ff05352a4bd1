import type { Config } from '@backline/server/compose/config.ts'
import { openFileStore } from '@backline/server/compose/files.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { ForeignStore, requireMarker } from '@backline/server/compose/store-marker.ts'
import { openClamd } from '@backline/server/platform/files/clamd.ts'
import { cannotCreate, toStoreError } from '@backline/server/platform/files/disk.ts'
import { ScannerUnavailable } from '@backline/server/platform/files/scanner.ts'
import type { StoreSettings } from '@backline/server/platform/files/settings.ts'
import { StoreUnavailable } from '@backline/server/platform/files/store.ts'
import { type Check, fault, ok } from './check.ts'
import { exists, tryToCreate } from './machine.ts'

const name = 'files'

/**
 * Writes, reads, copies and deletes a small object. A directory that the first start creates is left to it.
 * @param marker what the database knows the store by; null if it does not, or was not reachable
 */
export async function checkFiles(
  { files: { store, maxBytes } }: Config,
  marker: Buffer | null,
): Promise<Check> {
  const facts = { ...factsOf(store), max_bytes: maxBytes }
  const place = store.kind === 'directory' ? store.path : `bucket ${store.bucket}`
  try {
    if (store.kind === 'directory' && !(await exists(store.path).catch(() => false))) {
      await tryToCreate(store.path).catch((error) => {
        throw error.code === 'ENOENT' ? cannotCreate(store.path) : toStoreError(store.path, error)
      })
      if (marker) throw new ForeignStore(store, marker)
      return ok(name, `${place}; created at the first start`, facts)
    }
    const opened = await openFileStore({ store })
    try {
      await opened.check()
      if (marker) await requireMarker(opened, store, marker)
    } finally {
      await opened.close()
    }
    return ok(name, `${place}: an object was written, read, copied and deleted`, facts)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    // The remedy is the last part of the message.
    const [, detail = '', advice = ''] = /^(.*): (.*)$/s.exec(reasonOf(error)) ?? []
    return fault(name, detail, advice, facts)
  }
}

/** Asks the scanner whether it is there; null if none is configured. */
export async function checkScanner({ files: { clamd } }: Config): Promise<Check | null> {
  if (!clamd) return null
  const address = 'path' in clamd ? clamd.path : `${clamd.host}:${clamd.port}`
  try {
    await openClamd(clamd).ping()
    return ok('scanner', `clamd answers at ${address}`, { address })
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error
    const advice = 'start clamd, or correct BACKLINE_CLAMD; files wait until it answers'
    return fault('scanner', reasonOf(error), advice, { address })
  }
}

const factsOf = (store: StoreSettings): Record<string, unknown> =>
  store.kind === 'directory'
    ? { kind: store.kind, path: store.path }
    : { kind: store.kind, bucket: store.bucket, endpoint: store.endpoint, region: store.region }
