import type { Backline } from '@backline/sdk'
import type { QueryClient } from '@tanstack/react-query'

/** An address of the bytes of an image, for this page alone. Each image is read once. */
export const readImage = (cache: QueryClient, backline: Backline, fileId: string): Promise<string> =>
  cache.fetchQuery({
    queryKey: ['files', fileId, 'content'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const response = await backline.files.content(fileId)
      return URL.createObjectURL(await response.blob())
    },
  })

/** Saves the bytes of a file under its name. */
export async function saveFile(backline: Backline, fileId: string, filename: string): Promise<void> {
  const response = await backline.files.content(fileId)
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
