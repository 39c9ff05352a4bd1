import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Select, TextField } from '../../design/Field.tsx'
import { FilterRow, Stack } from '../../design/Layout.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useLocaleName } from '../../texts/locales.ts'
import { mostArticles, states, useArticles } from '../shared/articles.ts'
import { useCollections } from '../shared/collections.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from './ArticlesPage.module.css'
import { ArticleTable } from './ArticleTable.tsx'
import { CollectionTree } from './CollectionTree.tsx'
import { type Filters, filtered, useFilters, useHits } from './filters.ts'
import { NewArticleDialog } from './NewArticleDialog.tsx'
import { texts } from './texts.ts'

export function ArticlesPage() {
  const text = useTexts(texts)
  const formats = useFormats()
  const { can } = useEnvironment()
  const mayWrite = can('kb:write')
  const [filters, change] = useFilters()
  const list = useArticles()
  const collections = useCollections()
  const { hits } = useHits(filters.q)
  const [isCreating, setCreating] = useState(false)
  const create = { label: text.newArticle, group: text.articles, icon: 'plus', shortcut: 'c' } as const
  useCommands(mayWrite ? [{ ...create, run: () => setCreating(true) }] : [])

  const found = filtered(list.articles, collections.data ?? [], filters, hits)
  const isFiltered = Object.values(filters).some(Boolean)
  const newButton = mayWrite && (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      {text.newArticle}
    </Button>
  )
  return (
    <Page title={text.articles} intro={text.intro} actions={newButton}>
      <div className={styles.columns}>
        <CollectionTree
          articles={list.articles}
          chosen={filters.collection}
          onSelect={(collection) => change({ collection })}
        />
        <Stack gap={3}>
          <FilterBar filters={filters} onChange={change} />
          {list.isPending ? (
            <Loading lines={8} />
          ) : list.isError ? (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ) : found.length > 0 ? (
            <ArticleTable found={found} collections={collections.data ?? []} />
          ) : isFiltered ? (
            <EmptyState icon="search" title={text.noMatch}>
              <Button onClick={() => change({ q: '', collection: '', state: '', locale: '', tag: '' })}>
                {text.clearFilters}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState icon="book" title={text.none}>
              {mayWrite && <p>{text.noneHint}</p>}
              {newButton}
            </EmptyState>
          )}
          {!list.isPending && list.articles.length > 0 && (
            <small role="status">
              {text.count(formats.number(found.length), formats.number(list.articles.length))}
              {list.isCut
                ? ` · ${text.cut(formats.number(mostArticles))}`
                : !list.isComplete && ` · ${text.loadingMore}`}
            </small>
          )}
        </Stack>
      </div>
      {isCreating && (
        <NewArticleDialog collectionId={filters.collection || null} onClose={() => setCreating(false)} />
      )}
    </Page>
  )
}

type FilterBarProps = { filters: Filters; onChange(change: Partial<Filters>): void }

function FilterBar({ filters, onChange }: FilterBarProps) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const localeName = useLocaleName()
  const { articles } = useArticles()
  const locales = [...new Set([...articles.map(({ locale }) => locale), filters.locale])]
    .filter(Boolean)
    .sort()
  const tags = [...new Set([...articles.flatMap((each) => each.tags), filters.tag])].filter(Boolean).sort()
  const chooser = (
    name: 'state' | 'locale' | 'tag',
    label: string,
    all: string,
    options: { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      hideLabel
      value={filters[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      empty={all}
      options={options}
    />
  )
  return (
    <FilterRow>
      <TextField
        label={text.search}
        hideLabel
        type="search"
        placeholder={text.search}
        value={filters.q}
        onChange={(event) => onChange({ q: event.target.value })}
      />
      {chooser(
        'state',
        text.status,
        text.allStates,
        states.map((state) => ({ value: state, label: shared[state] })),
      )}
      {locales.length > 1 &&
        chooser(
          'locale',
          text.language,
          text.allLanguages,
          locales.map((locale) => ({ value: locale, label: localeName(locale) })),
        )}
      {tags.length > 0 &&
        chooser(
          'tag',
          text.tag,
          text.allTags,
          tags.map((tag) => ({ value: tag, label: tag })),
        )}
    </FilterRow>
  )
}
