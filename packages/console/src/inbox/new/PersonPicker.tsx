import type { EndUser } from '@backline/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useSettled } from '../../data/settled.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Button } from '../../design/Button.tsx'
import { TextField } from '../../design/Field.tsx'
import { FramedList, Quiet, Row, Stack, Truncated } from '../../design/Layout.tsx'
import { useWhenReady } from '../../design/when-ready.ts'
import { useTexts } from '../../texts/language.tsx'
import { nameOfEndUser } from '../model/people.ts'
import styles from './PersonPicker.module.css'
import { texts } from './texts.ts'

type PersonPickerProps = {
  label: string
  chosen: EndUser | null
  onSelect(person: EndUser | null): void
  /** Cannot be chosen. */
  exceptId?: string
  error?: string | undefined
  /** Makes a person of what was typed and not found. */
  onCreate?: (typed: string) => void
}

const found = 6

/** Chooses an end user by name, address or external id. Without words it offers those who were seen last. */
export function PersonPicker({ label, chosen, onSelect, exceptId, error, onCreate }: PersonPickerProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [typed, setTyped] = useState('')
  const q = useSettled(typed.trim())
  const query = useQuery({
    queryKey: ['end_users', 'list', { q, limit: found + 1 }],
    queryFn: ({ signal }) =>
      backline.endUsers.list(
        { limit: found + 1, ...(q === '' ? { sort: '-last_seen_at' as const } : { q }) },
        { signal },
      ),
    enabled: chosen === null,
    placeholderData: keepPreviousData,
  })
  const people = (query.data?.data ?? []).filter(({ id }) => id !== exceptId).slice(0, found)
  const isReady = !query.isFetching && q === typed.trim()
  const enter = useWhenReady(isReady, () => {
    if (people[0]) onSelect(people[0])
    else if (q !== '') onCreate?.(q)
  })
  const choose = (person: EndUser | null) => {
    enter.cancel()
    onSelect(person)
  }
  if (chosen)
    return (
      <Stack gap={1} role="group" aria-label={label}>
        <span className={styles.label}>{label}</span>
        <Row gap={3} justify="between">
          <Known person={chosen} />
          <Button onClick={() => choose(null)}>{text.otherPerson}</Button>
        </Row>
      </Stack>
    )
  return (
    <Stack>
      <TextField
        label={label}
        type="search"
        placeholder={text.searchPeople}
        autoComplete="off"
        error={error}
        value={typed}
        onChange={(event) => {
          enter.cancel()
          setTyped(event.target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return
          event.preventDefault()
          enter.run()
        }}
      />
      <FramedList aria-label={label} aria-busy={!isReady}>
        {people.map((person) => (
          <li key={person.id}>
            <button type="button" className={styles.found} onClick={() => choose(person)}>
              <Known person={person} />
            </button>
          </li>
        ))}
        {query.data && people.length === 0 && (
          <Quiet as="li" className={styles.none}>
            {text.nobodyFound}
          </Quiet>
        )}
        {onCreate && (
          <li>
            <button type="button" className={styles.found} onClick={() => onCreate(typed.trim())}>
              {text.newPersonNamed(typed.trim())}
            </button>
          </li>
        )}
      </FramedList>
    </Stack>
  )
}

/** A person with what tells them from others of the same name. */
function Known({ person }: { person: EndUser }) {
  const text = useTexts(texts)
  const name = nameOfEndUser(person)
  const also = [person.emails[0]?.address, person.external_id].filter((each) => each && each !== name)
  return (
    <Row as="span" className={styles.known}>
      <Avatar name={name ?? '?'} />
      <Truncated>
        {name ?? text.noName}
        {also.length > 0 && <Truncated as="small">{also.join(' · ')}</Truncated>}
      </Truncated>
    </Row>
  )
}
