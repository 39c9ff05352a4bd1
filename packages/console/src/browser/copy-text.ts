/** Copies a text. Pages without TLS have no clipboard API; for them a selection is copied. False if it was refused. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body // a dialog keeps the focus inside
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
