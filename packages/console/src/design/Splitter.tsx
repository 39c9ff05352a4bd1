import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../browser/stored.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './Splitter.module.css'
import { texts } from './texts.ts'

type SplitterProps = {
  /** The name of the pane. */
  of: string
  /** The custom property `--<name>-width` has the width, which the styles of the page limit by `clamp()`. */
  name: string
  /** It stands at the end of its parent, and gives a width to this one or to the next. */
  resizes?: 'parent' | 'next'
}

const stepPx = 16
const root = document.documentElement

const paneOf = ({ parentElement }: HTMLElement, resizes: 'parent' | 'next') =>
  (resizes === 'parent' ? parentElement : parentElement!.nextElementSibling) as HTMLElement

function show(property: string, width: string | null): void {
  if (width === null) root.style.removeProperty(property)
  else root.style.setProperty(property, width)
}

/**
 * Changes the width of a pane: by dragging, the arrow keys, Home and End. A double click gives the usual width back.
 * This browser keeps the width.
 */
export function Splitter({ of, name, resizes = 'parent' }: SplitterProps) {
  const text = useTexts(texts)
  const handle = useRef<HTMLDivElement>(null)
  const [part, setPart] = useState(50)
  const [property, storedAs] = [`--${name}-width`, `backline.${name}_width`]
  useLayoutEffect(() => show(property, readStored(storedAs)), [property, storedAs])
  useEffect(() => {
    const pane = paneOf(handle.current!, resizes)
    const observer = new ResizeObserver(() => {
      const { offsetWidth, parentElement } = pane
      if (parentElement) setPart(Math.round((100 * offsetWidth) / parentElement.offsetWidth))
    })
    observer.observe(pane)
    return () => observer.disconnect()
  }, [resizes])
  /** Keeps the width that the limits allow. */
  const keep = (pane: HTMLElement) => {
    const width = `${pane.offsetWidth}px`
    show(property, width)
    writeStored(storedAs, width)
  }
  /** 1 if the pane grows to the right. */
  const sign = () => ((resizes === 'parent') === (getComputedStyle(root).direction !== 'rtl') ? 1 : -1)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.preventDefault() // selects no text
    const { currentTarget: element, clientX: fromX, pointerId } = event
    const pane = paneOf(element, resizes)
    const width = pane.offsetWidth
    element.focus()
    element.setPointerCapture(pointerId)
    const onMove = ({ clientX }: { clientX: number }) =>
      show(property, `${width + (clientX - fromX) * sign()}px`)
    const onEnd = () => {
      element.removeEventListener('pointermove', onMove)
      if (pane.offsetWidth !== width) keep(pane)
    }
    element.addEventListener('pointermove', onMove)
    element.addEventListener('lostpointercapture', onEnd, { once: true })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: sign() * stepPx, ArrowLeft: -sign() * stepPx, Home: -1e5, End: 1e5 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const pane = paneOf(event.currentTarget, resizes)
    show(property, `${Math.max(0, pane.offsetWidth + by)}px`)
    keep(pane)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: A rule cannot be moved.
    <div
      ref={handle}
      role="separator"
      tabIndex={0}
      aria-label={text.widthOf(of)}
      aria-orientation="vertical"
      aria-valuenow={part}
      className={styles.splitter}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={() => {
        show(property, null)
        writeStored(storedAs, null)
      }}
    />
  )
}
