import { Faults } from '../../data/faults.ts'
import { Notice } from '../../design/Layout.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Says why a preview does not show the text that is in the form. */
export function PreviewFault({ error }: { error: unknown }) {
  const text = useTexts(texts)
  return (
    <div role="status" className={error ? undefined : 'visually-hidden'}>
      {error !== null && <Notice tone="warn">{text.notRendered(detailOf(error))}</Notice>}
    </div>
  )
}

/** The fault of the text itself says more than that of the request. */
const detailOf = (error: unknown): string => Faults.of(error).first ?? reasonOf(error)
