import type { KbSearch } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { Button } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState, Loading } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { offeredLocales, useLocaleName } from '../../texts/locales.ts'
import { NewArticleDialog } from '../articles/NewArticleDialog.tsx'
import { useArticles } from '../shared/articles.ts'
import { texts } from './texts.ts'

const names = ['show', 'locale'] as const

/** The searches of readers, first those that found nothing. The choice is part of the address. */
export function SearchesPage() {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [{ show, locale }, choose] = useParams(names)
  const isAll = show === 'all'
  const filter = { ...(!isAll && { last_found_nothing: 'true' as const }), ...(locale && { locale }) }
  const list = usePages<KbSearch>(['kb/searches', filter], async (cursor, signal) =>
    backline.kb.searches.list({ ...filter, limit: 50, cursor }, { signal }),
  )
  const [about, setAbout] = useState<KbSearch | null>(null)
  return (
    <Page
      title={text.title}
      intro={text.intro}
      actions={<Choices isAll={isAll} locale={locale} onSelect={choose} />}
    >
      <List query={list} empty={<Nothing isAll={isAll} onShowAll={() => choose({ show: 'all' })} />}>
        <Searches searches={list.items} onWrite={can('kb:write') ? setAbout : null} />
      </List>
      {about && (
        <NewArticleDialog
          collectionId={null}
          title={titleFor(about.query)}
          {...(about.locale && { locale: about.locale })}
          onClose={() => setAbout(null)}
        />
      )}
    </Page>
  )
}

const titleFor = (query: string): string => query.charAt(0).toUpperCase() + query.slice(1)

type ChoicesProps = {
  isAll: boolean
  locale: string
  onSelect(change: { show?: string; locale?: string }): void
}

function Choices({ isAll, locale, onSelect }: ChoicesProps) {
  const text = useTexts(texts)
  const localeName = useLocaleName()
  const { articles } = useArticles()
  const used = offeredLocales([...articles.map((each) => each.locale), ...(locale ? [locale] : [])])
  return (
    <Row wraps>
      <Select
        label={text.which}
        hideLabel
        value={isAll ? 'all' : ''}
        onChange={({ target: { value } }) => onSelect({ show: value })}
        options={[
          { value: '', label: text.foundNothing },
          { value: 'all', label: text.all },
        ]}
      />
      <Select
        label={text.language}
        hideLabel
        value={locale}
        onChange={({ target: { value } }) => onSelect({ locale: value })}
        empty={text.allLanguages}
        options={used.map((value) => ({ value, label: localeName(value) }))}
      />
    </Row>
  )
}

function Nothing({ isAll, onShowAll }: { isAll: boolean; onShowAll(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const any = useQuery({
    queryKey: ['kb/searches', 'any'],
    queryFn: async ({ signal }) =>
      (await backline.kb.searches.list({ limit: 1 }, { signal })).data.length > 0,
    enabled: !isAll,
    staleTime: 0,
  })
  if (!isAll && any.isPending) return <Loading lines={2} />
  return isAll || any.data === false ? (
    <EmptyState icon="search" title={text.none}>
      <p>{text.noneHint}</p>
    </EmptyState>
  ) : (
    <EmptyState icon="check" title={text.nothingMissing}>
      <p>{text.nothingMissingHint}</p>
      <Button onClick={onShowAll}>{text.showAll}</Button>
    </EmptyState>
  )
}

type SearchesProps = { searches: KbSearch[]; onWrite: ((search: KbSearch) => void) | null }

function Searches({ searches, onWrite }: SearchesProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const localeName = useLocaleName()
  const columns: (Column<KbSearch> | null)[] = [
    {
      name: 'query',
      label: text.query,
      cell: ({ query, locale }) => (
        <div lang={locale ?? undefined} dir="auto">
          {query}
        </div>
      ),
    },
    {
      name: 'nothing',
      label: text.nothing,
      align: 'end',
      cell: ({ found_nothing }) => formats.number(found_nothing),
    },
    { name: 'searches', label: text.searches, align: 'end', cell: (each) => formats.number(each.searches) },
    {
      name: 'locale',
      label: text.language,
      cell: ({ locale }) => <Quiet>{locale === null ? text.noLocale : localeName(locale)}</Quiet>,
    },
    {
      name: 'last',
      label: text.last,
      cell: ({ last_searched_at }) => (
        <Quiet>
          <When at={last_searched_at} />
        </Quiet>
      ),
    },
    onWrite && {
      name: 'write',
      label: <span className="visually-hidden">{text.write}</span>,
      align: 'end',
      cell: (search) => (
        <Button icon="edit" aria-label={text.writeOn(search.query)} onClick={() => onWrite(search)}>
          {text.write}
        </Button>
      ),
    },
  ]
  return (
    <Table
      caption={text.title}
      columns={columns.filter((column) => column !== null)}
      rows={searches}
      keyOf={({ query, locale }) => `${locale} ${query}`}
    />
  )
}
