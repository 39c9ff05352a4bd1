import type { Faq } from '@backline/sdk'
import { useTexts } from '../../texts/language.tsx'
import { Rendered } from '../shared/Rendered.tsx'
import styles from './FaqPreview.module.css'
import { texts } from './texts.ts'

/** A question and its answer, as readers see them once they are saved. */
export function FaqPreview({ faq, note }: { faq: Faq; note?: string | undefined }) {
  const text = useTexts(texts)
  return (
    <article className={styles.preview} aria-label={text.preview}>
      {note && <p className={styles.note}>{note}</p>}
      <h2 lang={faq.locale} dir="auto">
        {faq.question}
      </h2>
      <Rendered html={faq.answer_html} lang={faq.locale} />
    </article>
  )
}
