import type { FilterTree, View } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDepartments, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select, TextField } from '../../design/Field.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type SaveViewProps = {
  filter: FilterTree
  sort: View['sort']
  columns: readonly string[]
  /** A search narrows the list, too. */
  hasWords: boolean
  onClose(): void
}

/** Makes a view of what is listed, and goes to it. */
export function SaveView({ filter, sort, columns, hasWords, onClose }: SaveViewProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline, operator } = useEnvironment()
  const [, navigate] = useLocation()
  const departments = useDepartments()
  const own = useOperators().data?.find(({ id }) => id === operator.id)?.department_ids ?? []
  const [name, setName] = useState('')
  const [readers, setReaders] = useState('')
  const save = useWrite({
    async run() {
      const visibility = {
        operator_ids: readers === operator.id ? [readers] : [],
        department_ids: readers.startsWith('dept_') ? [readers] : [],
      }
      const view = await backline.views.create({ name, filter, sort, columns: [...columns], visibility })
      await cache.invalidateQueries({ queryKey: ['views'] })
      return view
    },
    refresh: [],
    failed: text.viewNotSaved,
    fields: ['name'],
    faultsOf: (error) => Faults.of(error, text.taken),
    onDone(view) {
      toast.done({ title: text.viewSaved, detail: view.name })
      onClose()
      navigate(`/${view.id}`)
    },
  })
  return (
    <ActionDialog
      title={text.saveView}
      action={text.save}
      isDisabled={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={text.name}
        required
        maxLength={100}
        error={save.faults.at('/name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={text.viewFor}
        options={[
          { value: '', label: text.everybody },
          { value: operator.id, label: text.onlyMe },
          ...(departments.data ?? [])
            .filter(({ id }) => own.includes(id))
            .map(({ id, name }) => ({ value: id, label: text.membersOf(name) })),
        ]}
        value={readers}
        onChange={(event) => setReaders(event.target.value)}
      />
      {hasWords && <p>{text.withoutWords}</p>}
    </ActionDialog>
  )
}
