import type { Job } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { saveFile } from '../../data/save-file.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { FramedList, Quiet, Row, Stack } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { sizeText } from '../../texts/sizes.ts'
import styles from './Data.module.css'
import { familyTexts } from './families.ts'
import { texts } from './texts.ts'

type Part = { object: string; file_id: string; bytes: number }
type Result = {
  parts: Part[]
  manifest: { objects: Record<string, { count: number; sha256: string }>; feed_cursor: string }
  snapshot_restarts: number
}
type Params = { format?: string; compression?: string }

/** The files of an export, with what is needed to check them and to go on from them. */
export function ExportResult({ job }: { job: Job }) {
  const text = useTexts(texts)
  const named: Record<string, string> = useTexts(familyTexts)
  const { number } = useFormats()
  const { parts, manifest, snapshot_restarts } = job.result as Result
  return (
    <Stack gap={3}>
      <h3>{text.files}</h3>
      <FramedList className={styles.families}>
        {Object.entries(manifest.objects).map(([family, { count, sha256 }]) => (
          <Stack as="li" key={family} gap={1}>
            <Row justify="between">
              <strong>{named[family] ?? family}</strong>
              <span>{text.objectCount(count, number(count))}</span>
            </Row>
            <Row gap={1} className={styles.hash}>
              <small>SHA-256</small>
              <Copied value={sha256} what={`SHA-256 ${named[family] ?? family}`} />
            </Row>
            <Row wraps>
              {parts
                .filter(({ object }) => object === family)
                .map((part, i, all) => (
                  <Download
                    key={part.file_id}
                    part={part}
                    filename={filenameOf(family, job.params, all.length > 1 ? i + 1 : null)}
                  />
                ))}
            </Row>
          </Stack>
        ))}
      </FramedList>
      <Stack gap={1}>
        <h3>{text.feedCursor}</h3>
        <Copied value={manifest.feed_cursor} what={text.feedCursor} />
        <Quiet as="p">{text.feedCursorHint}</Quiet>
      </Stack>
      {snapshot_restarts > 0 && <Quiet as="p">{text.restarts(snapshot_restarts)}</Quiet>}
    </Stack>
  )
}

function filenameOf(family: string, { format = 'ndjson', compression }: Params, part: number | null): string {
  return `${family}${part === null ? '' : `-${part}`}.${format}${compression === 'gzip' ? '.gz' : ''}`
}

function Download({ part, filename }: { part: Part; filename: string }) {
  const text = useTexts(texts)
  const { language } = useLanguage()
  const { backline } = useEnvironment()
  const save = useWrite({
    run: () => saveFile(backline, part.file_id, filename),
    refresh: [],
    failed: text.downloadFailed,
  })
  return (
    <Button isSmall icon="arrowDown" disabled={save.isPending} onClick={() => save.mutate()}>
      {filename} · {sizeText(part.bytes, language)}
    </Button>
  )
}

/** The only file of a job, such as the data of a person. */
export function FileResult({ fileId }: { fileId: string }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const save = useWrite({
    async run() {
      const { filename } = await backline.files.retrieve(fileId)
      await saveFile(backline, fileId, filename)
    },
    refresh: [],
    failed: text.downloadFailed,
  })
  return (
    <div>
      <Button icon="arrowDown" disabled={save.isPending} onClick={() => save.mutate()}>
        {text.download}
      </Button>
    </div>
  )
}
