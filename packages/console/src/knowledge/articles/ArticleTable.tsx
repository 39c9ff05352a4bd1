import type { KbCollection } from '@backline/sdk'
import { useState } from 'react'
import { When } from '../../app/Times.tsx'
import { Button } from '../../design/Button.tsx'
import { Quiet, Stack } from '../../design/Layout.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../../texts/locales.ts'
import { StateBadge } from '../shared/StateBadge.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import type { Found } from './filters.ts'
import { Snippet } from './Snippet.tsx'
import { texts } from './texts.ts'

const step = 100

type ArticleTableProps = { found: Found[]; collections: KbCollection[] }

export function ArticleTable({ found, collections }: ArticleTableProps) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const formats = useFormats()
  const localeName = useLocaleName()
  const [shown, setShown] = useState(step)
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const hasLocales = new Set(found.map(({ article }) => article.locale)).size > 1
  const columns: (Column<Found> | false)[] = [
    {
      name: 'title',
      label: text.title,
      cell: ({ article, snippet }) => (
        <Stack as="span" gap="half">
          <span dir="auto">{article.title ?? shared.untitled}</span>
          {snippet && <Snippet html={snippet} />}
        </Stack>
      ),
    },
    { name: 'state', label: text.status, cell: ({ article }) => <StateBadge article={article} /> },
    {
      name: 'collection',
      label: text.collection,
      cell: ({ article }) => <Quiet>{names.get(article.collection_id ?? '') ?? '–'}</Quiet>,
    },
    hasLocales && {
      name: 'locale',
      label: text.language,
      cell: ({ article }) => <Quiet>{localeName(article.locale)}</Quiet>,
    },
    {
      name: 'votes',
      label: text.votes,
      align: 'end',
      cell: ({ article: { helpful_count, unhelpful_count } }) => {
        const all = helpful_count + unhelpful_count
        return (
          <Quiet>{all === 0 ? '–' : text.votesOf(formats.number(helpful_count), formats.number(all))}</Quiet>
        )
      },
    },
    {
      name: 'changed',
      label: text.changed,
      align: 'end',
      cell: ({ article: { updated_at } }) => (
        <Quiet>
          <When at={updated_at} />
        </Quiet>
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
