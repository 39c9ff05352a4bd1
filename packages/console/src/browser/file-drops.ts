/** Keeps the browser on the page when a file is dropped on it, and no part of the page takes it. */
export function keepPageOnDrop(): void {
  for (const type of ['dragover', 'drop'] as const)
    document.addEventListener(type, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    })
}
