import { useId } from 'react'
import { Row } from '../../../design/Layout.tsx'
import { Patterns, Shape } from './Shape.tsx'
import type { Kind, Level } from './segments.ts'

type SwatchProps = { kind: Kind; level?: Level; label: string }

/** A pattern of the time line with its meaning. */
export function Swatch({ kind, level = 'calm', label }: SwatchProps) {
  const id = useId()
  const segment = { fromMs: 0, toMs: 1, countedMs: 0, isFuture: false, isCompressed: false, count: 1 }
  return (
    <Row as="small">
      <svg width="18" height="10" aria-hidden="true">
        <Patterns id={id} />
        <Shape id={id} top={0} height={10} segment={{ ...segment, x: 0, width: 18, kind, level }} />
      </svg>
      {label}
    </Row>
  )
}
