import { IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { useCopy } from './use-copy.ts'

/** A value with a button that copies it. */
export function Copied({ value, what, isCode = false }: { value: string; what: string; isCode?: boolean }) {
  const text = useTexts(texts)
  const copy = useCopy()
  return (
    <Row as="span" gap="half">
      {isCode ? <code>{value}</code> : <span>{value}</span>}
      <IconButton icon="copy" label={text.copy(what)} isSmall onClick={() => copy(value)} />
    </Row>
  )
}
