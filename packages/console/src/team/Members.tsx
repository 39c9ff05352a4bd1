import type { Operator, OperatorStatusEntry } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../data/environment.tsx'
import { useNow } from '../data/now.ts'
import { useWrite } from '../data/write.ts'
import { Avatar } from '../design/Avatar.tsx'
import { Badge, type Tone } from '../design/Badge.tsx'
import { IconButton } from '../design/Button.tsx'
import { Quiet, Row } from '../design/Layout.tsx'
import { Menu, type MenuItem } from '../design/Menu.tsx'
import { type Column, Table } from '../design/Table.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { type OperatorStatus, operatorStatuses } from '../texts/values.ts'
import { Figure } from './Figure.tsx'
import { minutesSince, of, open, useBreachedToday, useFigures, waiting } from './figures.ts'
import { Load } from './Load.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { StatusDialog } from './StatusDialog.tsx'
import { texts } from './texts.ts'
import { useReasonText } from './use-reason-text.ts'

const tones: Record<OperatorStatus, Tone> = { online: 'good', busy: 'bad', away: 'warn', offline: 'neutral' }

export type Member = OperatorStatusEntry & { operator: Operator }

/** The operators with their status and what they have to do. */
export function Members({ members }: { members: Member[] }) {
  const text = useTexts(texts)
  const formats = useFormats()
  const nowMs = useNow()
  const { backline, can, operator: self } = useEnvironment()
  const reasonText = useReasonText()
  const [edited, setEdited] = useState<Member | null>(null)
  const [moved, setMoved] = useState<Operator | null>(null)
  const breached = useBreachedToday()
  const filters = { open, waiting, breached }
  const figures = useFigures('assignee_id', filters)
  const setStatus = useWrite({
    run: ({ id, status }: { id: string; status: OperatorStatus }) =>
      backline.operators.status.set(id, { status }),
    refresh: [['operators']],
    failed: text.notSet,
  })
  const figure = (
    name: 'waiting' | 'breached',
    { operator_id, operator }: Member,
    label: string,
    isBad = false,
  ) => (
    <Figure
      label={text.conversationsOf(label, operator.name)}
      found={figures.of(name, operator_id)}
      conditions={[...filters[name], of('assignee_id', operator_id)]}
      shows={name === 'waiting' ? 'wait' : 'count'}
      isBad={isBad}
    />
  )
  const actionsOf = (member: Member): MenuItem[][] => {
    const { operator, operator_id: id } = member
    const isSelf = id === self.id
    return [
      ...(can('operators:write') || isSelf
        ? [
            operatorStatuses.map((status) => ({
              label: text[status],
              isChecked: status === member.status,
              onSelect: () => setStatus.mutate({ id, status }),
            })),
            [{ label: text.withReason, onSelect: () => setEdited(member) }],
          ]
        : []),
      ...(can('conversations:write') && (isSelf || self.role !== 'agent')
        ? [[{ label: text.handOver, onSelect: () => setMoved(operator) }]]
        : []),
    ]
  }
  const columns: Column<Member>[] = [
    {
      name: 'name',
      label: text.name,
      cell: ({ operator: { name }, status }) => (
        <Row as="span">
          <Avatar name={name} presence={status} /> {name}
        </Row>
      ),
    },
    {
      name: 'status',
      label: text.status,
      cell: ({ status, reason, until }) => (
        <Row as="span">
          <Badge tone={tones[status]}>{text[status]}</Badge>
          <Quiet>
            {[reasonText(reason), until && text.until(formats.time(until))].filter(Boolean).join(', ')}
          </Quiet>
        </Row>
      ),
    },
    {
      name: 'since',
      label: text.since,
      cell: ({ since }) => (
        <time dateTime={since} title={formats.moment(since)}>
          {formats.duration(minutesSince(since, nowMs))}
        </time>
      ),
    },
    {
      name: 'load',
      label: text.load,
      cell: ({ operator_id, operator, open_conversations: count, capacity }) => (
        <Load open={count} capacity={capacity}>
          <Figure
            label={text.conversationsOf(text.load, operator.name)}
            found={{ count, waiting_since: null }}
            conditions={[...open, of('assignee_id', operator_id)]}
          />
        </Load>
      ),
    },
    {
      name: 'waiting',
      label: text.longestWait,
      cell: (member) => figure('waiting', member, text.longestWait),
    },
    {
      name: 'breached',
      label: text.breachedToday,
      cell: (member) => figure('breached', member, text.breachedToday, true),
    },
    {
      name: 'actions',
      label: <span className="visually-hidden">{text.actions}</span>,
      align: 'end',
      cell(member) {
        const groups = actionsOf(member)
        const label = text.actionsOf(member.operator.name)
        return (
          groups.length > 0 && <Menu trigger={<IconButton icon="more" label={label} />} groups={groups} />
        )
      },
    },
  ]
  return (
    <>
      <Table
        caption={text.operators}
        columns={columns}
        rows={members}
        keyOf={({ operator_id }) => operator_id}
      />
      {edited && <StatusDialog entry={edited} name={edited.operator.name} onClose={() => setEdited(null)} />}
      {moved && <MoveDialog operator={moved} onClose={() => setMoved(null)} />}
    </>
  )
}
