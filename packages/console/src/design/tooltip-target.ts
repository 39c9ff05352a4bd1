import type { RefObject } from 'react'

type Target = HTMLElement | SVGElement

const delayMs = 400
/** The pointer can reach the tooltip, or the next element, before the tooltip goes. */
const lingerMs = 100

/**
 * Follows the pointer and the focus to elements with tooltips, and calls `show` with the one whose tooltip is to be
 * shown; null for none. A tooltip goes when its element is pressed, and stays while the pointer is on it (WCAG 1.4.13).
 */
export function followTarget(popup: RefObject<Element | null>, show: (target: Target | null) => void) {
  let shown: Target | null = null
  let wanted: Target | null = null
  let pressed: Target | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function want(target: Target | null, afterMs: number): void {
    if (target === wanted) return
    wanted = target
    clearTimeout(timer)
    timer = setTimeout(() => {
      shown = wanted
      show(shown)
    }, afterMs)
  }
  function hide(): void {
    clearTimeout(timer)
    wanted = null
    if (shown) show(null)
    shown = null
  }
  const targetOf = ({ target }: Event) => (target as Element).closest<Target>('[data-tooltip]')

  const listeners = {
    pointerover(event: PointerEvent) {
      if (event.pointerType === 'touch') return
      if (popup.current?.contains(event.target as Node)) return want(shown, 0)
      const target = targetOf(event)
      if (target !== pressed) pressed = null
      if (!pressed) want(target, target === null ? lingerMs : shown ? 0 : delayMs)
    },
    pointerout({ relatedTarget }: PointerEvent) {
      if (!relatedTarget) want(null, lingerMs) // it has left the window
    },
    click(event: MouseEvent) {
      pressed = targetOf(event)
      hide()
    },
    focusin(event: FocusEvent) {
      const target = targetOf(event)
      if (target?.matches(':focus-visible')) want(target, 0)
    },
    focusout(event: FocusEvent) {
      if (targetOf(event) === wanted) want(null, 0)
    },
  }
  const entries = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listen] of entries) document.addEventListener(type, listen, true)
  return {
    hide,
    stop() {
      hide()
      for (const [type, listen] of entries) document.removeEventListener(type, listen, true)
    },
  }
}
