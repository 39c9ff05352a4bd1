import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useReducer, useRef, useState } from 'react'
import { KeyHint } from './KeyHint.tsx'
import styles from './Tooltip.module.css'
import { followTarget } from './tooltip-target.ts'

/**
 * Attributes of an element at which a short text appears while it has the pointer or the focus. The page must say the
 * same without the tooltip, such as by the name of the element.
 */
export const tooltip = (text: string, shortcut?: string) => ({
  'data-tooltip': text,
  'data-tooltip-keys': shortcut,
})

/** Shows the tooltips of the page, one at a time: a component for each would be most of what a button costs. */
export function Tooltips() {
  const [target, setTarget] = useState<HTMLElement | SVGElement | null>(null)
  const [, read] = useReducer((times: number) => times + 1, 0)
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => followTarget(popup, setTarget), [])
  useEffect(() => {
    if (!target) return
    const observer = new MutationObserver(read)
    observer.observe(target, { attributeFilter: ['data-tooltip', 'data-tooltip-keys'] })
    return () => observer.disconnect()
  }, [target])
  const { tooltip, tooltipKeys } = target?.dataset ?? {}
  return (
    <Base.Root open={tooltip !== undefined}>
      <Base.Portal>
        <Base.Positioner anchor={target} sideOffset={6} className={styles.positioner}>
          <Base.Popup
            ref={popup}
            role="tooltip"
            aria-hidden
            className={styles.popup}
            onMouseDown={(event) => event.preventDefault()} // the focus stays where it is
          >
            {tooltip}
            {tooltipKeys && <KeyHint keys={tooltipKeys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
