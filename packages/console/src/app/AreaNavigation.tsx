import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'

/** The navigation of an area, which stands in the sidebar below the areas. */
export function AreaNavigation({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<Element | null>(null)
  useEffect(() => setPlace(document.getElementById('area-navigation')), [])
  return place && createPortal(<ErrorBoundary>{children}</ErrorBoundary>, place)
}
