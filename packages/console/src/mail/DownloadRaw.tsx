import { useMutation } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { saveBlob } from '../data/save-file.ts'
import { Button } from '../design/Button.tsx'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import { mailTexts } from './texts.ts'

/** Saves a mail byte by byte as it came in; nothing for roles that may not read it. */
export function DownloadRaw({ id }: { id: string }) {
  const text = useTexts(mailTexts)
  const toast = useToast()
  const { backline, can } = useEnvironment()
  const download = useMutation({
    mutationFn: async () =>
      saveBlob(await (await backline.inboundEmails.raw.retrieve(id)).blob(), `${id}.eml`),
    onError: (error) => toast.failed({ title: text.notDownloaded, detail: reasonOf(error) }),
  })
  return (
    can('inbound_emails:read') && (
      <Button icon="arrowDown" disabled={download.isPending} onClick={() => download.mutate()}>
        {text.downloadRaw}
      </Button>
    )
  )
}
