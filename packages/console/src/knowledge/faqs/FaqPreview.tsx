import type { Faq } from '@backline/sdk'
import { Notice, Stack } from '../../design/Layout.tsx'
import { EmptyState } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { PreviewFault } from '../shared/PreviewFault.tsx'
import { Rendered } from '../shared/Rendered.tsx'
import { usePreview } from '../shared/use-preview.ts'
import styles from './FaqPreview.module.css'
import type { FaqFields } from './fields.ts'
import { texts } from './texts.ts'

type FaqPreviewProps = {
  /** The question and the answer in the form. */
  fields: Pick<FaqFields, 'question' | 'answer' | 'locale'>
  /** As it was last saved; null for a new question. */
  faq: Pick<Faq, 'answer' | 'answer_html'> | null
  note?: string | undefined
}

/** A question and its answer in the form that readers will see, also while they are not saved. */
export function FaqPreview({ fields: { question, answer, locale }, faq, note }: FaqPreviewProps) {
  const text = useTexts(texts)
  const { html, error } = usePreview('faq', answer, { text: faq?.answer ?? '', html: faq?.answer_html ?? '' })
  if (question.trim() === '' && html === '' && error === null)
    return <EmptyState icon="edit" title={text.previewEmpty} />
  return (
    <Stack as="article" gap={3} className={styles.preview} aria-label={text.preview}>
      {note && <Notice tone="info">{note}</Notice>}
      <PreviewFault error={error} />
      {question && (
        <h2 lang={locale} dir="auto">
          {question}
        </h2>
      )}
      <Rendered html={html} lang={locale} />
    </Stack>
  )
}
