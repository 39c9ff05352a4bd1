import { Select } from '../../design/Field.tsx'
import { branchesOf, useCollections } from './collections.ts'

type CollectionSelectProps = {
  label: string
  none: string
  value: string | null
  onChange(id: string | null): void
  /** Not offered, such as a collection itself and what is below it. */
  without?: ReadonlySet<string>
  error?: string | undefined
  disabled?: boolean
}

/** A collection, by its place in the tree. Archived ones are offered only if they are chosen already. */
export function CollectionSelect({ label, none, value, onChange, without, ...rest }: CollectionSelectProps) {
  const collections = useCollections().data ?? []
  const offered = branchesOf(collections, []).filter(
    ({ collection: { id, archived } }) => !without?.has(id) && (!archived || id === value),
  )
  return (
    <Select
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
      empty={none}
      options={offered.map(({ collection, depth }) => ({
        value: collection.id,
        label: `${'\u2003'.repeat(depth)}${collection.name}`,
      }))}
      {...rest}
    />
  )
}
