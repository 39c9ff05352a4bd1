import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../../data/environment.tsx'
import { useSettled } from '../../../data/settled.ts'
import { Button } from '../../../design/Button.tsx'
import { Picker } from '../../../design/Picker.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser } from '../../model/people.ts'
import { texts as sideTexts } from '../texts.ts'
import { texts } from './texts.ts'

type AddProps = { taken: string[]; isBusy: boolean; onAdd(endUserId: string): void }

const found = 8

/** Finds an end user by name, address or id. */
export function AddParticipant({ taken, isBusy, onAdd }: AddProps) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { backline } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const wanted = useSettled(query.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['end_users', 'list', { q: wanted, limit: found }],
    queryFn: ({ signal }) =>
      backline.endUsers.list(
        wanted === '' ? { sort: '-last_seen_at', limit: found } : { q: wanted, limit: found },
        { signal },
      ),
    enabled: isOpen,
    placeholderData: (before) => before,
  })
  const options = (data?.data ?? [])
    .filter(({ id }) => !taken.includes(id))
    .map((person) => {
      const label = nameOfEndUser(person) ?? shared.noName
      const also = [person.emails[0]?.address, person.external_id].find((each) => each && each !== label)
      return { id: person.id, label, detail: also ?? undefined }
    })
  const open = (next: boolean) => {
    setOpen(next)
    setQuery('')
  }
  return (
    <div>
      <Picker
        title={text.add}
        placeholder={text.find}
        trigger={
          <Button variant="plain" icon="plus" isSmall disabled={isBusy}>
            {text.add}
          </Button>
        }
        isOpen={isOpen}
        onOpenChange={open}
        onSearch={setQuery}
        options={options}
        isLoading={isFetching || wanted !== query.trim()}
        onSelect={onAdd}
        empty={text.nothingFound}
      />
    </div>
  )
}
