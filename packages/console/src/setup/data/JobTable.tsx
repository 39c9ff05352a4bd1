import type { Job } from '@backline/sdk'
import type { ReactNode } from 'react'
import { When } from '../../app/Times.tsx'
import { List } from '../../design/Lists.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { JobType, LiveState } from '../../jobs/JobState.tsx'
import { StartedBy } from '../../jobs/StartedBy.tsx'
import { type JobFilters, useJobList } from '../../jobs/use-job-list.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type JobTableProps = {
  caption: string
  filters: JobFilters
  linkOf(job: Job): string
  /** Stands between the type and the status. */
  columns?: Column<Job>[]
  empty: ReactNode
}

/** Jobs with their progress, and who started them. */
export function JobTable({ caption, filters, linkOf, columns = [], empty }: JobTableProps) {
  const text = useTexts(texts)
  const query = useJobList(filters)
  return (
    <List query={query} empty={empty}>
      <Table
        caption={caption}
        columns={[
          { name: 'type', label: text.type, cell: (job) => <JobType job={job} /> },
          ...columns,
          { name: 'status', label: text.status, cell: (job) => <LiveState job={job} /> },
          { name: 'by', label: text.startedBy, cell: ({ id }) => <StartedBy id={id} /> },
          { name: 'at', label: text.started, cell: ({ created_at }) => <When at={created_at} /> },
        ]}
        rows={query.items}
        keyOf={({ id }) => id}
        linkOf={linkOf}
      />
    </List>
  )
}
