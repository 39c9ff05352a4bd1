import { type RefObject, useEffect, useRef, useState } from 'react'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes the files that are dropped anywhere on an element.
 * @returns whether files are above it
 */
export function useFileDrop(
  place: RefObject<HTMLElement | null>,
  isAllowed: boolean,
  onFiles: (files: FileList) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    const element = place.current?.parentElement
    if (!element || !isAllowed) return
    const stop = new AbortController()
    const { signal } = stop
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = 'copy'
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!element.contains(relatedTarget as Node | null)) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      latest.current(event.dataTransfer!.files)
    }
    element.addEventListener('dragover', over, { signal })
    element.addEventListener('dragleave', leave, { signal })
    element.addEventListener('drop', drop, { signal })
    return () => stop.abort()
  }, [place, isAllowed])
  return isOver
}
