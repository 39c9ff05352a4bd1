import type { Job, JobResult } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useConversationPath } from '../app/area-paths.ts'
import { useCustomFields } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { usePages } from '../data/lists.ts'
import { Badge } from '../design/Badge.tsx'
import { Checkbox } from '../design/Field.tsx'
import { Quiet, Row, Stack } from '../design/Layout.tsx'
import { List } from '../design/Lists.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Jobs.module.css'
import { refusalText } from './refusals.ts'
import { texts } from './texts.ts'
import { isEnded } from './use-job.ts'

const pageSize = 25

type JobResultsProps = { job: Job; isOnlyFailed?: boolean; onOpen?: () => void }

/** The result of each object or line of a job; the failed ones first, if there are any. */
export function JobResults({ job, isOnlyFailed, onOpen }: JobResultsProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [isFiltered, setFiltered] = useState(job.progress.failed > 0)
  const status = (isOnlyFailed ?? isFiltered) ? ('failed' as const) : undefined
  const query = usePages<JobResult>(['jobs', job.id, 'results', status, isEnded(job)], (cursor, signal) =>
    backline.jobs.results.list(job.id, { limit: pageSize, cursor, ...(status && { status }) }, { signal }),
  )
  return (
    <Stack gap={3}>
      {isOnlyFailed === undefined && (
        <Checkbox
          label={text.onlyFailed}
          checked={isFiltered}
          onChange={(event) => setFiltered(event.target.checked)}
        />
      )}
      <List query={query} empty={<Quiet as="p">{status ? text.noFailures : text.noResults}</Quiet>}>
        <ul className={styles.results} aria-label={text.results}>
          {query.items.map((result) => (
            <li key={`${result.index ?? ''}-${result.line ?? ''}`} className={styles.result}>
              <Result result={result} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      </List>
    </Stack>
  )
}

function Result({ result, onOpen }: { result: JobResult; onOpen: (() => void) | undefined }) {
  const text = useTexts(texts)
  const fields = useCustomFields().data ?? []
  const nameOf = (key: string) => fields.find((field) => field.key === key)?.name ?? key
  const { id, line, status, errors } = result
  return (
    <>
      <Row>
        {line !== null && <strong>{text.line(line)}</strong>}
        {id?.startsWith('conv_') ? <ConversationLink id={id} onOpen={onOpen} /> : id && <code>{id}</code>}
        {status === 'succeeded' && <Badge tone="good">{text.wasDone}</Badge>}
      </Row>
      {errors.map((error) => (
        <p key={`${error.pointer} ${error.detail}`}>{refusalText(error, nameOf)}</p>
      ))}
    </>
  )
}

/** A conversation by its subject; by its id while that is unknown. */
export function ConversationLink({ id, onOpen }: { id: string; onOpen?: (() => void) | undefined }) {
  const { backline } = useEnvironment()
  const pathOf = useConversationPath()
  const { data } = useQuery({
    queryKey: ['conversations', id, 'subject'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await backline.conversations.retrieve(id, {}, { signal })).subject ?? '',
  })
  return (
    <Link href={pathOf(id)} onClick={onOpen}>
      {data ? <bdi>{data}</bdi> : <code>{id}</code>}
    </Link>
  )
}
