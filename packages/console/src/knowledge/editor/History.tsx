import type { KbArticle } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { articleKey } from '../shared/articles.ts'
import { useActorName } from '../shared/people.ts'
import { type Change, readChanges } from './changes.ts'
import styles from './History.module.css'
import { texts } from './texts.ts'
import { useArticleLabels } from './use-article-labels.ts'

/** The people who changed the article, and the fields that they changed. */
export function History({ article: { id, version } }: { article: KbArticle }) {
  const text = useTexts(texts)
  const nameOf = useActorName()
  const { backline } = useEnvironment()
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [...articleKey(id), 'changes', version],
    queryFn: ({ signal }) => readChanges(backline, id, signal),
    placeholderData: (before) => before,
  })
  const names: Record<string, string> = {
    ...useArticleLabels(),
    publish_at: text.publishAt,
    metadata: text.metadata,
    translation_of_id: text.translationOf,
  }
  function deedOf({ type, fields }: Change): string {
    const known = {
      'kb_article.created': text.created,
      'kb_article.published': text.didPublish,
      'kb_article.unpublished': text.didUnpublish,
      'kb_article.archived': text.didArchive,
    }[type]
    if (known) return known
    const named = fields.flatMap((field) => names[field] ?? [])
    return named.length > 0 ? `${text.edited}: ${named.join(', ')}` : text.changedSome
  }
  if (isPending) return <Loading lines={4} />
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <EmptyState icon="history" title={text.noHistory} />
  return (
    <ol>
      {data.map((change) => (
        <Row as="li" key={change.id} gap={3} align="start" className={styles.change}>
          <Avatar name={nameOf(change.actor)} />
          <span className={styles.deed}>
            <strong>{nameOf(change.actor)}</strong> {deedOf(change)}
          </span>
          <Quiet className={styles.time}>
            <When at={change.at} />
          </Quiet>
        </Row>
      ))}
    </ol>
  )
}
