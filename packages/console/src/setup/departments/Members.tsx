import type { Operator } from '@backline/sdk'
import { useState } from 'react'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { useWrite } from '../../data/write.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { TextField } from '../../design/Field.tsx'
import { FramedList, Quiet, Row } from '../../design/Layout.tsx'
import { Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Departments.module.css'
import { texts } from './texts.ts'

const mostOffered = 8

/** The members of a department: everybody else is found by searching, and added at once. */
export function Members({ departmentId }: { departmentId: string }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [query, setQuery] = useState('')
  const key = ['departments', departmentId, 'operators']
  const members = useAll(key, () => backline.departments.operators.list(departmentId, { limit: 100 }))
  const operators = useOperators()
  const { mutate, isPending } = useWrite({
    run: ({ id, isMember }: { id: string; isMember: boolean }) =>
      isMember
        ? backline.departments.operators.remove(departmentId, id)
        : backline.departments.operators.add(departmentId, id),
    refresh: [['departments'], ['operators']],
    failed: text.notChanged,
    onDone: (_, { isMember }) => !isMember && setQuery(''),
  })
  if (!members.data) return <Loading />
  const ids = new Set(members.data.map(({ id }) => id))
  const words = query.trim().toLowerCase()
  const found = (operators.data ?? [])
    .filter(({ id, name, email }) => !ids.has(id) && `${name} ${email}`.toLowerCase().includes(words))
    .slice(0, mostOffered)
  return (
    <>
      <TextField
        label={text.addMember}
        placeholder={text.addMemberHint}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          if (words !== '' && found[0]) mutate({ id: found[0].id, isMember: false })
        }}
      />
      {words !== '' && (
        <FramedList className={styles.members} aria-label={text.addMember}>
          {found.map((operator) => (
            <Person key={operator.id} operator={operator}>
              <Button
                aria-label={text.addName(operator.name)}
                icon="plus"
                disabled={isPending}
                onClick={() => mutate({ id: operator.id, isMember: false })}
              >
                {text.add}
              </Button>
            </Person>
          ))}
          {found.length === 0 && <Quiet as="li">{text.nobodyFound}</Quiet>}
        </FramedList>
      )}
      <FramedList className={styles.members} aria-label={text.members}>
        {members.data.map((operator) => (
          <Person key={operator.id} operator={operator}>
            <IconButton
              icon="close"
              label={text.removeNamed(operator.name)}
              disabled={isPending}
              onClick={() => mutate({ id: operator.id, isMember: true })}
            />
          </Person>
        ))}
        {members.data.length === 0 && <Quiet as="li">{text.noMembers}</Quiet>}
      </FramedList>
    </>
  )
}

function Person({ operator, children }: { operator: Operator; children: React.ReactNode }) {
  return (
    <Row as="li">
      <Avatar name={operator.name} presence={operator.status} />
      <span className={styles.who}>
        {operator.name} <Quiet>{operator.email}</Quiet>
      </span>
      {children}
    </Row>
  )
}
