import { useParams } from '../../app/use-params.ts'
import { Select } from '../../design/Field.tsx'
import { Quiet, Row, Stack } from '../../design/Layout.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useArticles } from '../shared/articles.ts'
import { useFaqs } from '../shared/faqs.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from './HelpfulPage.module.css'
import { certainlyBad, type Voted, votedOf } from './ranking.ts'
import { texts } from './texts.ts'

const names = ['kind'] as const

/** The votes of readers on articles and FAQs, the worst first. */
export function HelpfulPage() {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const formats = useFormats()
  const [{ kind }, set] = useParams(names)
  const articles = useArticles()
  const faqs = useFaqs()
  const all = votedOf(articles.articles, faqs.data ?? []).filter((each) => !kind || each.kind === kind)
  const voted = all
    .filter(({ helpful, unhelpful }) => helpful + unhelpful > 0)
    .sort((a, b) => certainlyBad(b) - certainlyBad(a))
  const columns: Column<Voted>[] = [
    {
      name: 'content',
      label: text.content,
      cell: ({ title }) => <div dir="auto">{title ?? shared.untitled}</div>,
    },
    {
      name: 'share',
      label: text.share,
      align: 'end',
      cell: ({ helpful, unhelpful }) => {
        const share = helpful / (helpful + unhelpful)
        return (
          <Row as="span">
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${share * 100}%` }} />
            </span>
            <span className={styles.percent}>{formats.percent(share)}</span>
          </Row>
        )
      },
    },
    {
      name: 'unhelpful',
      label: text.unhelpful,
      align: 'end',
      cell: ({ unhelpful }) => formats.number(unhelpful),
    },
    { name: 'helpful', label: text.helpful, align: 'end', cell: ({ helpful }) => formats.number(helpful) },
    {
      name: 'kind',
      label: text.kind,
      cell: (each) => <Quiet>{text[each.kind]}</Quiet>,
    },
  ]
  const error = articles.error ?? faqs.error
  return (
    <Page
      title={text.votes}
      intro={text.intro}
      actions={
        <Select
          label={text.kind}
          hideLabel
          value={kind}
          onChange={({ target: { value } }) => set({ kind: value })}
          options={[
            { value: '', label: text.all },
            { value: 'article', label: text.articles },
            { value: 'faq', label: text.faqs },
          ]}
        />
      }
    >
      {articles.isPending || faqs.isPending ? (
        <Loading lines={6} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([articles.refetch(), faqs.refetch()])} />
      ) : voted.length === 0 ? (
        <EmptyState icon="heart" title={text.none}>
          <p>{text.noneHint}</p>
        </EmptyState>
      ) : (
        <Stack gap={3}>
          <Table
            caption={text.votes}
            columns={columns}
            rows={voted}
            keyOf={({ id }) => id}
            linkOf={({ kind: of, id }) => `/${of}s/${id}`}
          />
          {all.length > voted.length && <small>{text.unvoted(all.length - voted.length)}</small>}
        </Stack>
      )}
    </Page>
  )
}
