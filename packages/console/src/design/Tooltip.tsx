import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useRef, useState } from 'react'
import { KeyHint } from './KeyHint.tsx'
import styles from './Tooltip.module.css'
import { followTarget } from './tooltip-target.ts'

/**
 * Attributes of an element at which a short text appears while it has the pointer or the focus. Its name must say the
 * same without the tooltip.
 */
export const tooltip = (text: string, shortcut?: string) => ({
  'data-tooltip': text,
  'data-tooltip-keys': shortcut,
})

/** Shows the tooltips of the page, one at a time: a component for each would be most of what a button costs. */
export function Tooltips() {
  const [target, setTarget] = useState<HTMLElement | SVGElement | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  const following = useRef<ReturnType<typeof followTarget>>(null)
  useEffect(() => {
    following.current = followTarget(popup, setTarget)
    return following.current.stop
  }, [])
  const { tooltip, tooltipKeys } = target?.dataset ?? {}
  return (
    <Base.Root open={target !== null} onOpenChange={(isOpen) => !isOpen && following.current?.hide()}>
      <Base.Portal>
        <Base.Positioner anchor={target} sideOffset={6} className={styles.positioner}>
          {/* Its element has the same name, which is read. */}
          <Base.Popup ref={popup} role="tooltip" aria-hidden className={styles.popup}>
            {tooltip} {tooltipKeys && <KeyHint keys={tooltipKeys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
