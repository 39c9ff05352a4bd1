/** A browser leaves the page for a file that is dropped on it. Here nothing happens, unless a part of the page takes it. */
export function keepPageOnDrop(): void {
  for (const type of ['dragover', 'drop'] as const)
    document.addEventListener(type, (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    })
}
