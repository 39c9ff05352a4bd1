import { type File as ApiFile, type Backline, FileRejectedError } from '@backline/sdk'
import { useEffect, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const pollMs = 1_000
const mostPolls = 60

/**
 * Uploads images, and hands over the Markdown of each when an article can show it.
 * @param onUploading told when uploads begin and end
 */
export function useUploads(
  onReady: (markdown: string) => void,
  onUploading: ((isUploading: boolean) => void) | undefined,
) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [names, setNames] = useState<string[]>([])
  const isUploading = names.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only the change of the state is told.
  useEffect(() => onUploading?.(isUploading), [isUploading])

  const refuse = (title: string, detail: string) => toast.failed({ title, detail })

  async function uploadOne(file: File): Promise<void> {
    if (!file.type.startsWith('image/'))
      return void refuse(`${text.uploadFailed}: ${file.name}`, text.onlyImages)
    setNames((now) => [...now, file.name])
    try {
      const uploaded = await backline.files.upload(file)
      const ready = await scanned(backline, uploaded)
      if (ready.status === 'rejected') throw new FileRejectedError(ready)
      if (ready.status === 'ready') onReady(`![${descriptionOf(file.name)}](file:${ready.id})`)
      else refuse(`${text.uploadFailed}: ${file.name}`, text.stillScanning)
    } catch (error) {
      refuse(`${text.uploadFailed}: ${file.name}`, reasonOf(error))
    } finally {
      setNames((now) => now.filter((_, i) => i !== now.indexOf(file.name)))
    }
  }

  async function upload(files: File[]): Promise<void> {
    for (const file of files) await uploadOne(file)
  }
  return { names, upload }
}

/** The file when a virus scanner is done with it. */
async function scanned(backline: Backline, file: ApiFile): Promise<ApiFile> {
  let now = file
  for (let i = 0; now.status === 'scanning' && i < mostPolls; i++) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    now = await backline.files.retrieve(file.id)
  }
  return now
}

/** The name without its extension, as a first description; brackets would end it. */
const descriptionOf = (filename: string): string =>
  filename
    .replace(/\.[^.]+$/, '')
    .replace(/[[\]\\]/g, ' ')
    .trim()
