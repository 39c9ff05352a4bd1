import type { Backline } from '@backline/sdk'

/** Saves bytes under a name, as a download of the browser. */
export function saveBlob(bytes: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Saves the bytes of a file under its name. */
export async function saveFile(backline: Backline, fileId: string, filename: string): Promise<void> {
  const response = await backline.files.content(fileId)
  saveBlob(await response.blob(), filename)
}
