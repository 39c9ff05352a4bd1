import type { Operations } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { saveBlob } from '../../data/save-file.ts'
import { Button } from '../../design/Button.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type Filters = NonNullable<NonNullable<Operations['exportAuditLog']['input']>['query']>

/** Entries are joined into larger pieces, which the browser may keep on disk. */
const entriesOfPiece = 5_000
const everyMs = 200

/** Exports what the filters choose as a file with one JSON object a line, oldest first. */
export function ExportButton({ filters }: { filters: Filters }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { number } = useFormats()
  const { backline, name } = useEnvironment()
  const [count, setCount] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function run(): Promise<void> {
    const stop = new AbortController()
    running.current = stop
    setCount(0)
    try {
      const { file, entries } = await read(stop.signal)
      saveBlob(
        file,
        `backline-audit-${name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.ndjson`,
      )
      toast.done({ title: text.exported(entries) })
    } catch (error) {
      if (!stop.signal.aborted) toast.failed({ title: text.exportFailed, detail: reasonOf(error) })
    } finally {
      setCount(null)
    }
  }

  async function read(signal: AbortSignal): Promise<{ file: Blob; entries: number }> {
    const pieces: Blob[] = []
    let lines: string[] = []
    let entries = 0
    let shownAt = 0
    const close = () => {
      pieces.push(new Blob(lines))
      lines = []
    }
    for await (const entry of backline.auditLog.export(filters, { signal })) {
      entries++
      if (lines.push(`${JSON.stringify(entry)}\n`) >= entriesOfPiece) close()
      if (performance.now() - shownAt < everyMs) continue
      shownAt = performance.now()
      setCount(entries)
    }
    close()
    return { file: new Blob(pieces, { type: 'application/x-ndjson' }), entries }
  }

  return count === null ? (
    <Button icon="external" onClick={() => void run()}>
      {text.export}
    </Button>
  ) : (
    <Button icon="close" onClick={() => running.current?.abort()}>
      {text.exporting(number(count))}
    </Button>
  )
}
