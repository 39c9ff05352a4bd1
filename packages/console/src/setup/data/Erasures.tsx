import type { Erasure } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Instant, When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import { saveBlob } from '../../data/save-file.ts'
import { Button } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { List, Loaded } from '../../design/Lists.tsx'
import { DescriptionList, Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { Counts } from '../../jobs/Counts.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { erasureTexts } from './erasure-texts.ts'

const pageSize = 25
const erasures = ['erasures']

/** Certificates of the people who were erased. */
export function Erasures({ id }: { id: string | undefined }) {
  const text = useTexts(erasureTexts)
  const { number } = useFormats()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  const query = usePages<Erasure>(erasures, (cursor) => backline.erasures.list({ limit: pageSize, cursor }))
  useLiveEvents((event) => {
    if (event.type === 'job.ended') void query.refetch()
  })
  const modeText = useModeText()
  const rowsOf = ({ counts }: Erasure) => Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <Page title={text.erasures} intro={text.intro}>
      <List
        query={query}
        empty={
          <EmptyState icon="shield" title={text.none}>
            <p>{text.noneHint}</p>
          </EmptyState>
        }
      >
        <Table
          caption={text.erasures}
          columns={[
            { name: 'person', label: text.endUserId, cell: ({ end_user_id }) => <code>{end_user_id}</code> },
            { name: 'mode', label: text.mode, cell: ({ mode }) => modeText(mode) },
            { name: 'rows', label: text.rows, align: 'end', cell: (each) => number(rowsOf(each)) },
            { name: 'at', label: text.completed, cell: ({ completed_at }) => <When at={completed_at} /> },
          ]}
          rows={query.items}
          keyOf={(each) => each.id}
          linkOf={(each) => `/erasures/${each.id}`}
        />
      </List>
      {id && <Certificate id={id} onClose={() => navigate('/erasures')} />}
    </Page>
  )
}

function useModeText() {
  const text = useTexts(erasureTexts)
  return (mode: Erasure['mode']): string => (mode === 'delete' ? text.deleteAll : text.anonymise)
}

function Certificate({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(erasureTexts)
  const { backline } = useEnvironment()
  const query = useQuery({ queryKey: [...erasures, id], queryFn: () => backline.erasures.retrieve(id) })
  const { data } = query
  return (
    <Dialog
      isOpen
      form="panel"
      title={text.certificate}
      onClose={onClose}
      isText
      actions={
        data && (
          <Button
            icon="arrowDown"
            onClick={() =>
              saveBlob(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${id}.json`)
            }
          >
            {text.download}
          </Button>
        )
      }
    >
      <Loaded query={query}>{(erasure) => <Details erasure={erasure} />}</Loaded>
    </Dialog>
  )
}

function Details({ erasure }: { erasure: Erasure }) {
  const text = useTexts(erasureTexts)
  const modeText = useModeText()
  const { exports = [] } = erasure
  const copied = (name: string, value: string | null): [string, ReactNode][] =>
    value === null ? [] : [[name, <Copied key={name} value={value} what={name} />]]
  return (
    <Stack gap={4}>
      <DescriptionList
        items={[
          ...copied(text.endUserId, erasure.end_user_id),
          [text.mode, modeText(erasure.mode)],
          [text.completed, <Instant key="at" at={erasure.completed_at} />],
          ...copied('SHA-256', erasure.sha256),
          ...copied(text.headBefore, erasure.audit_head_before),
          ...copied(text.headAfter, erasure.audit_head_after),
        ]}
      />
      <Stack as="section">
        <h3>{text.reached}</h3>
        <Counts counts={erasure.counts} />
      </Stack>
      {exports.length > 0 && (
        <Notice tone="warn" icon="warning">
          <p>{text.earlierExports}</p>
          {exports.map((job) => (
            <p key={job}>
              <code>{job}</code>
            </p>
          ))}
        </Notice>
      )}
    </Stack>
  )
}
