import { type Attachment, FileRejectedError } from '@backline/sdk'
import { useRef, useState } from 'react'
import { randomKey } from '../../browser/random-key.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { reasonOf } from '../../texts/faults.ts'
import type { DraftMode } from '../model/drafts.ts'

/** A file on its way to the server. */
export type Upload = {
  key: string
  file: File
  /** The kind of message it was added to. It arrives there, whatever is open then. */
  mode: DraftMode
  /** Null while it is sent; else why it was not, in words. */
  failure: string | null
  /** False for a file that the server refuses whatever is done. */
  canRetry: boolean
}

/** Sends files one by one to the server; those that have arrived become attachments of the draft. */
export function useUploads(mode: DraftMode, onArrived: (mode: DraftMode, attachment: Attachment) => void) {
  const { backline } = useEnvironment()
  const [uploads, setUploads] = useState<Upload[]>([])
  const aborts = useRef(new Map<string, AbortController>())
  const arrived = useRef(onArrived)
  arrived.current = onArrived

  const set = (key: string, change: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const drop = (key: string) => setUploads((all) => all.filter((each) => each.key !== key))

  async function start({ key, file, mode }: Upload): Promise<void> {
    const abort = new AbortController()
    aborts.current.set(key, abort)
    try {
      const sent = await backline.files.upload(file, {}, { signal: abort.signal, idempotencyKey: key })
      drop(key)
      arrived.current(mode, {
        file_id: sent.id,
        filename: sent.filename,
        content_type: sent.content_type,
        size_bytes: sent.size_bytes,
        disposition: 'attachment',
        status: sent.status === 'ready' ? 'ready' : 'scanning',
        url: null,
      })
    } catch (error) {
      if (abort.signal.aborted) return
      set(key, { failure: reasonOf(error), canRetry: !(error instanceof FileRejectedError) })
    } finally {
      aborts.current.delete(key)
    }
  }
  return {
    /** Those of what is open. */
    uploads: uploads.filter((each) => each.mode === mode),
    add(files: Iterable<File>): void {
      const added = [...files].map((file) => ({
        key: randomKey(),
        file,
        mode,
        failure: null,
        canRetry: true,
      }))
      setUploads((all) => [...all, ...added])
      for (const each of added) void start(each)
    },
    retry(upload: Upload): void {
      set(upload.key, { failure: null })
      void start(upload)
    },
    remove(key: string): void {
      aborts.current.get(key)?.abort()
      drop(key)
    },
  }
}
