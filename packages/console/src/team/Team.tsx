import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { optionsOf, useDepartments, useOperators } from '../data/configuration.ts'
import { countsKey } from '../data/counts.ts'
import { useEnvironment } from '../data/environment.tsx'
import { useAll } from '../data/lists.ts'
import { useLiveEvents, useStaleAfterwards } from '../data/live.tsx'
import { classes } from '../design/classes.ts'
import { Select } from '../design/Field.tsx'
import { Card, Columns, Row } from '../design/Layout.tsx'
import { Loaded } from '../design/Lists.tsx'
import { Page, Section } from '../design/Page.tsx'
import { EmptyState } from '../design/States.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { operatorStatuses } from '../texts/values.ts'
import { Departments } from './Departments.tsx'
import { type Member, Members } from './Members.tsx'
import styles from './Team.module.css'
import { texts } from './texts.ts'

const key = ['operators', 'statuses']
const shownKeys = [key, countsKey]

/** The team: the status of each, and the conversations that wait for them. */
export function Team() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const formats = useFormats()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const operators = useOperators()
  const departments = useDepartments()
  const [departmentId, setDepartmentId] = useState('')
  const statuses = useAll(key, () => backline.operatorStatuses.list({ limit: 100 }))
  useLiveEvents(({ type }) => {
    if (type === 'view_counts' || /^(operator\.|department\.members_changed)/.test(type))
      void cache.invalidateQueries({ queryKey: key })
  })
  useStaleAfterwards(shownKeys)
  const byId = new Map(operators.data?.map((each) => [each.id, each]))
  const members: Member[] = (statuses.data ?? [])
    .flatMap((entry) => {
      const operator = byId.get(entry.operator_id)
      return operator ? [{ ...entry, operator }] : []
    })
    .filter(({ operator }) => departmentId === '' || operator.department_ids.includes(departmentId))
    .sort(
      (a, b) =>
        operatorStatuses.indexOf(a.status) - operatorStatuses.indexOf(b.status) ||
        a.operator.name.localeCompare(b.operator.name),
    )
  const query = {
    ...statuses,
    data: operators.data && statuses.data,
    error: statuses.error ?? operators.error,
  }
  return (
    <Page title={labels.team} intro={text.intro}>
      <Loaded query={{ ...query, isError: statuses.isError || operators.isError }} lines={8}>
        {() => (
          <>
            <Columns as="dl" least="8rem" aria-live="polite">
              {operatorStatuses.map((status) => (
                <Card key={status} gap={0} className={styles.count}>
                  <Row as="dt">
                    <span className={classes(styles.dot, styles[status])} aria-hidden="true" /> {text[status]}
                  </Row>
                  <dd>{formats.number(members.filter((each) => each.status === status).length)}</dd>
                </Card>
              ))}
            </Columns>
            <Section title={text.departments}>
              <Departments operators={operators.data ?? []} />
            </Section>
            <Section
              title={text.operators}
              actions={
                <div className={styles.filter}>
                  <Select
                    label={text.department}
                    hideLabel
                    empty={text.allDepartments}
                    options={optionsOf(departments.data)}
                    value={departmentId}
                    onChange={(event) => setDepartmentId(event.target.value)}
                  />
                </div>
              }
            >
              {members.length === 0 ? (
                <EmptyState icon="users" title={text.nobodyHere}>
                  <p>{text.nobodyHint}</p>
                </EmptyState>
              ) : (
                <Members members={members} />
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
