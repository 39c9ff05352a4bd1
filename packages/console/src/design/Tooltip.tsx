import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { KeyHint } from './KeyHint.tsx'
import styles from './Tooltip.module.css'

type TooltipProps = { text: string; shortcut?: string | undefined; children: ReactElement }

/** A short text at an element that has the pointer or the focus. Its name must say the same without the tooltip. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {text} {shortcut && <KeyHint keys={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
