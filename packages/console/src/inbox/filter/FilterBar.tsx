import type { FilterCondition, FilterTree } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { Popover } from '../../design/Popover.tsx'
import { texts as filterTexts } from '../../filters/texts.ts'
import { isCondition } from '../../filters/tree.ts'
import { type NamedField, useFields } from '../../filters/use-fields.ts'
import { useWording } from '../../filters/use-wording.ts'
import { replaced, without } from '../../forms/changes.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { filterOf } from '../views/filter-of.ts'
import { ConditionForm } from './ConditionForm.tsx'
import { type Conditions, narrowed } from './conditions.ts'
import styles from './FilterBar.module.css'
import { SaveView } from './SaveView.tsx'
import { texts } from './texts.ts'
import { type ListRequest, useReadList } from './use-read-list.ts'

type FilterBarProps = ListRequest & { onChange(conditions: Conditions): void }

/** The conditions that narrow a list, each of which can be changed, and the number of matches. */
export function FilterBar({ onChange, ...request }: FilterBarProps) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const fields = useFields('conversation', true)
  const { describe } = useWording(fields)
  const [isSaving, setSaving] = useState(false)
  const { view, conditions, q } = request
  const whole = narrowed(filterOf(view, 'me'), conditions)
  return (
    <section className={styles.bar} aria-label={text.filters}>
      <ul className={styles.chips}>
        {conditions.map((node, i) => {
          const label = describe(node)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: The next chip takes place and focus of one that is removed.
            <li key={i} className={styles.chip}>
              {isCondition(node) ? (
                <Edit
                  label={label}
                  condition={node}
                  fields={fields}
                  onApply={(next) => onChange(replaced(conditions, i, next))}
                />
              ) : (
                <span className={styles.label} title={label}>
                  {label}
                </span>
              )}
              <IconButton
                icon="close"
                isSmall
                label={text.removeNamed(label)}
                onClick={(event) => {
                  const before = event.currentTarget.closest('li')?.previousElementSibling
                  if (i === conditions.length - 1)
                    [...(before?.querySelectorAll('button') ?? [])].at(-1)?.focus()
                  onChange(without(conditions, i))
                }}
              />
            </li>
          )
        })}
      </ul>
      <Row justify="between" wraps>
        <Quiet role="status">
          <Matches {...request} />
        </Quiet>
        <Row gap={1}>
          {whole && can('views:write') && (
            <Button isSmall variant="plain" icon="view" onClick={() => setSaving(true)}>
              {text.saveView}
            </Button>
          )}
          <Button isSmall variant="plain" onClick={() => onChange([])}>
            {text.clearFilters}
          </Button>
        </Row>
      </Row>
      {isSaving && whole && (
        <SaveView
          filter={whole}
          sort={request.sort}
          columns={view.saved?.columns ?? []}
          hasWords={q !== ''}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  )
}

type EditProps = {
  label: string
  condition: FilterCondition
  fields: NamedField[]
  onApply(condition: FilterTree): void
}

function Edit({ label, condition, fields, onApply }: EditProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      trigger={
        <button type="button" className={styles.label} title={label}>
          {label}
        </button>
      }
      title={label}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {(close) => (
        <ConditionForm
          condition={condition}
          fields={fields}
          onApply={(next) => {
            close()
            onApply(next)
          }}
        />
      )}
    </Popover>
  )
}

/** The number of conversations in the list, loaded or not. */
function Matches(request: ListRequest) {
  const text = useTexts(filterTexts)
  const { number } = useFormats()
  const cache = useQueryClient()
  const read = useReadList()
  const key = ['conversations', 'matches']
  const { view, conditions, q } = request
  const { data, isError } = useQuery({
    queryKey: [...key, (view.saved ?? view.builtIn)!, q, conditions],
    queryFn: ({ signal }) => read(request, { limit: 1, include: ['total'] }, signal),
    placeholderData: (previous) => previous,
  })
  useLiveEvents(({ type }) => {
    if (type === 'view_counts') void cache.invalidateQueries({ queryKey: key })
  })
  if (isError) return null
  if (!data) return text.counting
  const total = data.total ?? 0
  return text.count(total, `${number(total)}${data.total_is_capped ? '+' : ''}`)
}
