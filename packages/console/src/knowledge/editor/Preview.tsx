import type { KbArticle } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { Stack } from '../../design/Layout.tsx'
import { EmptyState } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { PreviewFault } from '../shared/PreviewFault.tsx'
import { Rendered } from '../shared/Rendered.tsx'
import { usePreview } from '../shared/use-preview.ts'
import styles from './Preview.module.css'
import { texts } from './texts.ts'

type PreviewProps = {
  article: KbArticle
  /** The title and the text in the form; by default those of the article. */
  title?: string
  body?: string
}

/** The draft in the form that readers will see, also while it is not saved. */
export function Preview({ article, title = article.title ?? '', body = article.body ?? '' }: PreviewProps) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const { locale } = article
  const { html, error } = usePreview('kb_article', body, {
    text: article.body ?? '',
    html: article.body_html,
  })
  return (
    <Stack as="article" gap={4} className={styles.preview} aria-label={text.preview}>
      <PreviewFault error={error} />
      {title && (
        <h2 lang={locale} dir="auto">
          {title}
        </h2>
      )}
      {html ? (
        <Rendered html={html} lang={locale} />
      ) : (
        <EmptyState icon="edit" title={can('kb:write') ? text.previewEmpty : text.nothingWritten} />
      )}
    </Stack>
  )
}
