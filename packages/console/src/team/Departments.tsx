import type { Operator } from '@backline/sdk'
import { useDepartments } from '../data/configuration.ts'
import { type Column, Table } from '../design/Table.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { Figure } from './Figure.tsx'
import { of, unassigned, useBreachedToday, useFigures, waiting } from './figures.ts'
import styles from './Team.module.css'
import { texts } from './texts.ts'

type Row = { id: string | null; name: string }

/** The conversations that wait in each department. Conversations without one have a row while there are any. */
export function Departments({ operators }: { operators: Operator[] }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const departments = useDepartments()
  const breached = useBreachedToday()
  const filters = { unassigned, waiting, breached }
  const figures = useFigures('department_id', filters)
  const hasOthers = Object.keys(filters).some((name) => figures.of(name, null)?.count)
  const rows: Row[] = [
    ...(departments.data ?? []),
    ...(hasOthers ? [{ id: null, name: text.noDepartment }] : []),
  ]
  if (rows.length === 0) return null
  const figure = (name: keyof typeof filters, { id, name: department }: Row, label: string) => (
    <Figure
      label={text.conversationsOf(label, department)}
      found={figures.of(name, id)}
      conditions={[...filters[name], of('department_id', id)]}
      shows={name === 'waiting' ? 'wait' : 'count'}
      isBad={name === 'breached'}
    />
  )
  const columns: Column<Row>[] = [
    { name: 'name', label: text.department, cell: ({ name }) => name },
    {
      name: 'online',
      label: text.online,
      cell({ id }) {
        const members = operators.filter(({ department_ids }) => id !== null && department_ids.includes(id))
        const online = members.filter(({ status }) => status === 'online')
        return (
          id !== null && (
            <span className={styles.figure}>
              {text.present(number(online.length), number(members.length))}
            </span>
          )
        )
      },
    },
    { name: 'unassigned', label: text.unassigned, cell: (row) => figure('unassigned', row, text.unassigned) },
    {
      name: 'waiting',
      label: text.longestWait,
      cell: (row) => figure('waiting', row, text.longestWait),
    },
    {
      name: 'breached',
      label: text.breachedToday,
      cell: (row) => figure('breached', row, text.breachedToday),
    },
  ]
  return (
    <>
      {figures.isError && <p role="alert">{text.countsFailed}</p>}
      <Table caption={text.departments} columns={columns} rows={rows} keyOf={({ id }) => id ?? ''} />
    </>
  )
}
