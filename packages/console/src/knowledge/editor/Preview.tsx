import type { KbArticle } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Rendered } from '../shared/Rendered.tsx'
import styles from './Preview.module.css'
import { texts } from './texts.ts'

/** The draft as it was last saved, in the form that readers will see. */
export function Preview({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const { title, body_html, locale } = article
  return (
    <article className={styles.preview} aria-label={text.preview}>
      {title && (
        <h2 lang={locale} dir="auto">
          {title}
        </h2>
      )}
      {body_html ? (
        <Rendered html={body_html} lang={locale} />
      ) : (
        <p className={styles.empty}>{can('kb:write') ? text.previewEmpty : text.nothingWritten}</p>
      )}
    </article>
  )
}
