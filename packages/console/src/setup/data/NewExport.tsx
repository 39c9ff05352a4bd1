import type { FilterTree, Job } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select } from '../../design/Field.tsx'
import { FilterBuilder } from '../../filters/FilterBuilder.tsx'
import { asFilter } from '../../filters/tree.ts'
import { CheckboxField, FieldRow } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { useTexts } from '../../texts/language.tsx'
import { firstFilter } from '../views/draft.ts'
import { type FamilyName, familyNames, familyTexts } from './families.ts'
import { texts } from './texts.ts'

type NewExportProps = { onClose(): void; onStarted(job: Job): void }

export function NewExport({ onClose, onStarted }: NewExportProps) {
  const text = useTexts(texts)
  const named = useTexts(familyTexts)
  const { backline } = useEnvironment()
  const [objects, setObjects] = useState<FamilyName[]>([])
  const [isFiltered, setFiltered] = useState(false)
  const [filter, setFilter] = useState<FilterTree>(firstFilter.conversation)
  const [format, setFormat] = useState<'ndjson' | 'csv'>('ndjson')
  const [compression, setCompression] = useState<'gzip' | 'none'>('gzip')
  const start = useWrite({
    run: () =>
      backline.exports.start({
        ...(objects.length > 0 && { objects }),
        ...(isFiltered && { filter: asFilter(filter) }),
        format,
        compression,
      }),
    refresh: [['jobs', 'list']],
    failed: text.exportFailed,
    fields: ['objects', 'filter', 'format', 'compression'],
    onDone: onStarted,
  })
  return (
    <ActionDialog
      form="panel"
      width="wide"
      title={text.newExport}
      action={text.startExport}
      isDisabled={start.isPending}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <MultiSelect
        label={text.families}
        hint={text.familiesHint}
        placeholder={text.everything}
        error={start.faults.under('/objects')}
        options={familyNames.map((value) => ({ value, label: named[value] }))}
        value={objects}
        onChange={(chosen) => setObjects(chosen as FamilyName[])}
      />
      <FieldRow>
        <Select
          label={text.format}
          options={(['ndjson', 'csv'] as const).map((value) => ({ value, label: text[value] }))}
          value={format}
          onChange={(event) => setFormat(event.target.value as typeof format)}
        />
        <Select
          label={text.compression}
          options={(['gzip', 'none'] as const).map((value) => ({ value, label: text[value] }))}
          value={compression}
          onChange={(event) => setCompression(event.target.value as typeof compression)}
        />
      </FieldRow>
      <CheckboxField
        label={text.isFiltered}
        hint={text.isFilteredHint}
        value={isFiltered}
        onChange={setFiltered}
      />
      {isFiltered && (
        <FilterBuilder
          appliesTo="conversation"
          filter={filter}
          onChange={setFilter}
          faults={start.faults.within('/filter')}
        />
      )}
    </ActionDialog>
  )
}
