import type { RefObject } from 'react'

type Target = HTMLElement | SVGElement

const delayMs = 400
/** The pointer can reach the tooltip, or the next element, before the tooltip goes. */
const lingerMs = 100

/**
 * Follows the pointer and the focus to elements with tooltips, and calls `show` with the one whose tooltip is to be
 * shown; null for none. A tooltip stays while the pointer or the focus is on its element, or the pointer on itself,
 * until it is dismissed by Escape or a press (WCAG 1.4.13).
 * @returns stops following
 */
export function followTarget(
  popup: RefObject<Element | null>,
  show: (target: Target | null) => void,
): () => void {
  let hovered: Target | null = null
  let focused: Target | null = null
  /** Shows no tooltip until pointer and focus have left it. */
  let dismissed: Target | null = null
  let wanted: Target | null = null
  let shown: Target | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function update(afterMs = 0): void {
    if (dismissed !== hovered && dismissed !== focused) dismissed = null
    const next = [hovered, focused].find((each) => each && each !== dismissed) ?? null
    if (next === wanted) return
    wanted = next
    clearTimeout(timer)
    const turn = () => {
      shown = next
      show(next)
    }
    if (afterMs === 0) turn()
    else timer = setTimeout(turn, afterMs)
  }
  function dismiss(target: Target | null): void {
    dismissed = target
    update()
  }
  const isInPopup = ({ target }: Event) => popup.current?.contains(target as Node) ?? false
  const targetOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<Target>('[data-tooltip]') : null

  const listeners: Record<string, (event: never) => void> = {
    pointerover(event: PointerEvent) {
      if (event.pointerType === 'touch') return
      hovered = isInPopup(event) ? shown : targetOf(event)
      update(hovered === null ? lingerMs : shown ? 0 : delayMs)
    },
    pointerout({ relatedTarget }: PointerEvent) {
      if (relatedTarget) return
      hovered = null // the pointer has left the window
      update(lingerMs)
    },
    pointerdown: (event: PointerEvent) => isInPopup(event) || dismiss(targetOf(event)),
    click: (event: MouseEvent) => isInPopup(event) || dismiss(targetOf(event)),
    keydown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || !shown || event.isComposing) return
      // It does not close the dialog of the element as well.
      if (shown === focused) {
        event.preventDefault()
        event.stopPropagation()
      }
      dismiss(shown)
    },
    focusin(event: FocusEvent) {
      const target = targetOf(event)
      focused = target?.matches(':focus-visible') ? target : null
      update()
    },
    focusout({ target }: FocusEvent) {
      if (target === document.activeElement) return // the window has lost it
      focused = null
      update()
    },
  }
  const entries = Object.entries(listeners) as [string, (event: Event) => void][]
  for (const [type, listen] of entries) document.addEventListener(type, listen, true)
  return () => {
    clearTimeout(timer)
    for (const [type, listen] of entries) document.removeEventListener(type, listen, true)
  }
}
