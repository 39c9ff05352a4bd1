import type { KbArticle, KbArticleVersion } from '@backline/sdk'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button, buttonClass } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Columns, Quiet, Row } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Page, Section } from '../../design/Page.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { articleKey, useArticle, useKeepArticle } from '../shared/articles.ts'
import { Comparison } from '../shared/Comparison.tsx'
import { useActorName } from '../shared/people.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import { texts } from './texts.ts'

export function VersionsPage({ id }: { id: string }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const { backline } = useEnvironment()
  const article = useArticle(id)
  const list = usePages<KbArticleVersion>([...articleKey(id), 'versions'], (cursor, signal) =>
    backline.kb.articles.versions.list(id, { limit: 25, cursor }, { signal }),
  )
  const error = article.error ?? list.error
  return (
    <Page
      title={`${text.versions}: ${article.data?.title ?? shared.untitled}`}
      intro={text.intro}
      actions={
        <Link href={`/articles/${id}`} className={buttonClass()}>
          {text.back}
        </Link>
      }
    >
      {article.isPending || list.isPending ? (
        <Loading lines={6} />
      ) : error || !article.data ? (
        <ErrorState error={error} onRetry={() => void Promise.all([article.refetch(), list.refetch()])} />
      ) : list.items.length === 0 ? (
        <EmptyState icon="history" title={text.none}>
          <p>{text.noneHint}</p>
        </EmptyState>
      ) : (
        <>
          <List query={list} empty={null}>
            <VersionTable article={article.data} versions={list.items} />
          </List>
          <Compared article={article.data} versions={list.items} />
        </>
      )}
    </Page>
  )
}

type VersionsProps = { article: KbArticle; versions: KbArticleVersion[] }

function VersionTable({ article, versions }: VersionsProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const toast = useToast()
  const nameOf = useActorName()
  const [, navigate] = useLocation()
  const { backline, can } = useEnvironment()
  const keep = useKeepArticle()
  const [asked, setAsked] = useState<number | null>(null)
  const restore = useWrite({
    run: (version: number) =>
      backline.kb.articles.restore(article.id, { version }, { ifMatch: `"${article.version}"` }),
    refresh: [articleKey(article.id)],
    failed: text.notRestored,
    onDone(restored, version) {
      keep(restored)
      toast.done({ title: text.restored(formats.number(version)) })
      navigate(`/articles/${article.id}`)
    },
  })
  const columns: (Column<KbArticleVersion> | false)[] = [
    {
      name: 'version',
      label: text.versions,
      cell: ({ version }) => (
        <Row as="span">
          {text.version(formats.number(version))}
          {version === article.published_version && <Badge tone="good">{text.current}</Badge>}
        </Row>
      ),
    },
    {
      name: 'title',
      label: text.title,
      cell: ({ title }) => <div dir="auto">{title}</div>,
    },
    {
      name: 'at',
      label: text.published,
      cell: ({ published_at }) => (
        <Quiet as="time" dateTime={published_at}>
          {formats.moment(published_at)}
        </Quiet>
      ),
    },
    {
      name: 'by',
      label: text.publishedBy,
      cell: ({ published_by }) => <Quiet>{nameOf(published_by)}</Quiet>,
    },
    can('kb:write') && {
      name: 'restore',
      label: <span className="visually-hidden">{text.restore}</span>,
      align: 'end' as const,
      cell: ({ version }) => (
        <Button aria-label={text.restoreOf(formats.number(version))} onClick={() => setAsked(version)}>
          {text.restore}
        </Button>
      ),
    },
  ]
  return (
    <>
      <Table
        caption={text.versions}
        columns={columns.filter((column) => column !== false)}
        rows={versions}
        keyOf={({ version }) => String(version)}
      />
      {asked !== null && (
        <ActionDialog
          title={text.restoreOf(formats.number(asked))}
          action={text.restore}
          isDisabled={restore.isPending}
          onSubmit={() => restore.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{text.restoreHint}</p>
        </ActionDialog>
      )}
    </>
  )
}

const sideNames = ['compare', 'with'] as const

/** The two sides are part of the address. Without a choice, the latest version is compared with the draft. */
function Compared({ article, versions }: VersionsProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const [params, set] = useParams(sideNames)
  const draft = { value: 'draft', label: text.draft, text: markdownOf(article.title, article.body) }
  const published = versions.map(({ version, title, body }) => ({
    value: String(version),
    label: text.version(formats.number(version)),
    text: markdownOf(title, body),
  }))
  const [latest = draft, previous = latest] = published
  const sides = [draft, ...published]
  const sideOf = (name: 'compare' | 'with') => sides.find(({ value }) => value === params[name])
  const after = sideOf('with') ?? (article.has_unpublished_changes ? draft : latest)
  const before = sideOf('compare') ?? (after === draft ? latest : previous)
  const choose = (change: { compare?: string; with?: string }) =>
    set({ compare: before.value, with: after.value, ...change })
  return (
    <Section title={text.comparison}>
      <Columns least="12rem">
        <Select
          label={text.before}
          value={before.value}
          options={sides}
          onChange={(event) => choose({ compare: event.target.value })}
        />
        <Select
          label={text.after}
          value={after.value}
          options={sides}
          onChange={(event) => choose({ with: event.target.value })}
        />
      </Columns>
      <Comparison
        key={`${before.value} ${after.value}`}
        caption={text.comparison}
        before={before}
        after={after}
      />
    </Section>
  )
}

const markdownOf = (title: string | null, body: string | null): string => `# ${title ?? ''}\n\n${body ?? ''}`
