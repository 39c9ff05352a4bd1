import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { escapeHtml } from '../thread/escape.ts'
import { MessageHtml } from '../thread/MessageHtml.tsx'
import styles from './Composer.module.css'
import { texts } from './texts.ts'

type MessagePreviewProps = {
  /** As it will be sent. */
  body: string
  isMarkdown: boolean
  mentions: string[]
}

/** A message as it will be shown. */
export function MessagePreview({ body, isMarkdown, mentions }: MessagePreviewProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const { data, error, refetch } = useQuery({
    queryKey: ['message_preview', body, isMarkdown],
    // Messages and answers of FAQs are rendered alike.
    queryFn: async ({ signal }) =>
      isMarkdown
        ? (await backline.kb.preview({ type: 'faq', body }, { signal })).body_html
        : escapeHtml(body),
  })
  return (
    <section className={styles.shown} aria-label={text.preview}>
      {body === '' ? (
        <Quiet as="p">{text.previewNone}</Quiet>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={2} />
      ) : (
        <MessageHtml html={data} pictures={[]} mentions={mentions} />
      )}
    </section>
  )
}
