import type { KbCollection } from '@backline/sdk'
import { useState } from 'react'
import { useNow } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../shared/locales.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from './ArticleTable.module.css'
import type { Found } from './filters.ts'
import { Snippet } from './Snippet.tsx'
import { texts } from './texts.ts'

const step = 100

type ArticleTableProps = { found: Found[]; collections: KbCollection[] }

export function ArticleTable({ found, collections }: ArticleTableProps) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const formats = useFormats()
  const nowMs = useNow()
  const localeName = useLocaleName()
  const [shown, setShown] = useState(step)
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const hasLocales = new Set(found.map(({ article }) => article.locale)).size > 1
  const columns: (Column<Found> | false)[] = [
    {
      name: 'title',
      label: text.title,
      cell: ({ article, snippet }) => (
        <span className={styles.title}>
          <span dir="auto">{article.title ?? shared.untitled}</span>
          {snippet && <Snippet html={snippet} />}
        </span>
      ),
    },
    { name: 'state', label: text.status, cell: ({ article }) => <StateBadge article={article} /> },
    {
      name: 'collection',
      label: text.collection,
      cell: ({ article }) => (
        <span className={styles.quiet}>{names.get(article.collection_id ?? '') ?? '–'}</span>
      ),
    },
    hasLocales && {
      name: 'locale',
      label: text.language,
      cell: ({ article }) => <span className={styles.quiet}>{localeName(article.locale)}</span>,
    },
    {
      name: 'votes',
      label: text.votes,
      align: 'end',
      cell: ({ article: { helpful_count, unhelpful_count } }) => {
        const all = helpful_count + unhelpful_count
        return (
          <span className={styles.quiet}>
            {all === 0 ? '–' : text.votesOf(formats.number(helpful_count), formats.number(all))}
          </span>
        )
      },
    },
    {
      name: 'changed',
      label: text.changed,
      align: 'end',
      cell: ({ article: { updated_at } }) => (
        <time className={styles.quiet} dateTime={updated_at} title={formats.full(updated_at)}>
          {formats.relative(updated_at, nowMs)}
        </time>
      ),
    },
  ]
  return (
    <>
      <Table
        caption={text.articles}
        columns={columns.filter((column) => column !== false)}
        rows={found.slice(0, shown)}
        keyOf={({ article }) => article.id}
        linkOf={({ article }) => `/articles/${article.id}`}
      />
      {found.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + step)}>{text.more}</Button>
        </div>
      )}
    </>
  )
}
