import type { OperatorStatusEntry } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nameIn, optionsOf, useDepartments, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import { useNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Select } from '../../design/Field.tsx'
import { Card, Columns, Quiet, Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { type OperatorStatus, operatorStatuses } from '../../texts/values.ts'
import { Load } from './Load.tsx'
import styles from './Operators.module.css'
import { StatusDialog } from './StatusDialog.tsx'
import { texts } from './texts.ts'

const tones: Record<OperatorStatus, Tone> = { online: 'good', busy: 'bad', away: 'warn', offline: 'neutral' }

/** Events that change the load or the status of somebody. */
const concerns =
  /^(operator\.|department\.members_changed|conversation\.(assigned|created|resolved|reopened|closed|held|resumed|merged))/

export function StatusBoard() {
  const text = useTexts(texts)
  const formats = useFormats()
  const nowMs = useNow()
  const { backline, can } = useEnvironment()
  const cache = useQueryClient()
  const operators = useOperators()
  const departments = useDepartments()
  const [department, setDepartment] = useState('')
  const [edited, setEdited] = useState<OperatorStatusEntry | null>(null)
  const key = ['operators', 'statuses', department]
  const entries = useAll(key, () =>
    backline.operatorStatuses.list({ limit: 100, ...(department && { department_id: department }) }),
  )
  useLiveEvents(({ type }) => {
    if (concerns.test(type)) void cache.invalidateQueries({ queryKey: ['operators'] })
  })
  const setStatus = useWrite({
    run: ({ id, status }: { id: string; status: OperatorStatus }) =>
      backline.operators.status.set(id, { status }),
    refresh: [['operators']],
    failed: text.notSet,
  })
  const nameOf = ({ operator_id }: OperatorStatusEntry) => nameIn(operators.data, operator_id) ?? operator_id
  const rows = (entries.data ?? []).toSorted(
    (a, b) =>
      operatorStatuses.indexOf(a.status) - operatorStatuses.indexOf(b.status) ||
      nameOf(a).localeCompare(nameOf(b)),
  )
  const mayWrite = can('operators:write')
  const columns: Column<OperatorStatusEntry>[] = [
    {
      name: 'name',
      label: text.name,
      sortBy: nameOf,
      cell: (entry) => (
        <Row as="span">
          <Avatar name={nameOf(entry)} presence={entry.status} /> {nameOf(entry)}
        </Row>
      ),
    },
    {
      name: 'status',
      label: text.status,
      sortBy: ({ status }) => text[status],
      cell: ({ status, reason, until }) => (
        <Row as="span">
          <Badge tone={tones[status]}>{text[status]}</Badge>
          <Quiet>{[reason, until && text.until(formats.time(until))].filter(Boolean).join(', ')}</Quiet>
        </Row>
      ),
    },
    {
      name: 'since',
      label: text.since,
      sortBy: ({ since }) => since,
      cell: ({ since }) => (
        <time dateTime={since} title={formats.moment(since)}>
          {formats.duration(Math.max(0, (nowMs - Date.parse(since)) / 1_000))}
        </time>
      ),
    },
    {
      name: 'load',
      label: text.load,
      sortBy: ({ open_conversations }) => open_conversations,
      cell: ({ open_conversations, capacity }) => <Load open={open_conversations} capacity={capacity} />,
    },
    ...(mayWrite
      ? [
          {
            name: 'set',
            label: <span className="visually-hidden">{text.setStatus}</span>,
            align: 'end' as const,
            cell: (entry: OperatorStatusEntry) => (
              <Menu
                trigger={
                  <Button variant="plain" className={styles.set} aria-label={text.setStatusOf(nameOf(entry))}>
                    {text.setStatus}
                  </Button>
                }
                groups={[
                  operatorStatuses.map((status) => ({
                    label: text[status],
                    isChecked: status === entry.status,
                    onSelect: () => setStatus.mutate({ id: entry.operator_id, status }),
                  })),
                  [{ label: text.withReason, onSelect: () => setEdited(entry) }],
                ]}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <Page
      title={text.board}
      intro={text.boardIntro}
      actions={
        <div className={styles.filter}>
          <Select
            label={text.department}
            hideLabel
            empty={text.everyone}
            options={optionsOf(departments.data)}
            value={department}
            onChange={(event) => setDepartment(event.target.value)}
          />
        </div>
      }
    >
      <Loaded query={entries} lines={8}>
        {() => (
          <>
            <Columns as="dl" least="8rem" aria-live="polite">
              {operatorStatuses.map((status) => (
                <Card key={status} gap={0} className={styles.count}>
                  <Row as="dt">
                    <span className={classes(styles.dot, styles[status])} aria-hidden="true" /> {text[status]}
                  </Row>
                  <dd>{formats.number(rows.filter((row) => row.status === status).length)}</dd>
                </Card>
              ))}
            </Columns>
            {rows.length === 0 ? (
              <EmptyState icon="users" title={text.nobody}>
                <p>{text.nobodyHint}</p>
              </EmptyState>
            ) : (
              <Table
                caption={text.board}
                columns={columns}
                rows={rows}
                keyOf={({ operator_id }) => operator_id}
              />
            )}
          </>
        )}
      </Loaded>
      {edited && <StatusDialog entry={edited} name={nameOf(edited)} onClose={() => setEdited(null)} />}
    </Page>
  )
}
