import type { Job } from '@backline/sdk'
import { useLocation } from 'wouter'
import { useParams } from '../../app/use-params.ts'
import { Select } from '../../design/Field.tsx'
import { FilterRow } from '../../design/Layout.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { texts as jobTexts } from '../../jobs/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { JobPanel } from './JobPanel.tsx'
import { JobTable } from './JobTable.tsx'
import { texts } from './texts.ts'

const types = [
  'bulk',
  'export',
  'import',
  'erasure',
  'person_export',
  'retention',
  'custom_field_removal',
] as const
const statuses = ['queued', 'running', 'succeeded', 'completed_with_errors', 'failed', 'cancelled'] as const

const filterNames = ['type', 'status'] as const

/** All jobs of the environment, with their results. */
export function Jobs({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const named = useTexts(jobTexts)
  const [, navigate] = useLocation()
  const [filters, setFilters] = useParams(filterNames)
  return (
    <Page title={text.jobs} intro={text.jobsIntro}>
      <FilterRow>
        <Select
          label={text.type}
          empty={text.allTypes}
          options={types.map((value) => ({ value, label: named[value] }))}
          value={filters.type}
          onChange={(event) => setFilters({ type: event.target.value })}
        />
        <Select
          label={text.status}
          empty={text.allStatuses}
          options={statuses.map((value) => ({
            value,
            label: value === 'failed' ? named.failedStatus : named[value],
          }))}
          value={filters.status}
          onChange={(event) => setFilters({ status: event.target.value })}
        />
      </FilterRow>
      <JobTable
        caption={text.jobs}
        filters={{
          type: (filters.type || undefined) as Job['type'] | undefined,
          status: (filters.status || undefined) as Job['status'] | undefined,
        }}
        linkOf={(job) => `/jobs/${job.id}`}
        empty={
          <EmptyState icon="history" title={text.noJobs}>
            <p>{text.noJobsHint}</p>
          </EmptyState>
        }
      />
      {id && <JobPanel id={id} onClose={() => navigate('/jobs')} />}
    </Page>
  )
}
