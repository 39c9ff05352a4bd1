import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../data/environment.tsx'
import { Badge } from '../design/Badge.tsx'
import { IconButton } from '../design/Button.tsx'
import { Checkbox, TextField } from '../design/Field.tsx'
import { Row, Stack } from '../design/Layout.tsx'
import { Loaded } from '../design/Lists.tsx'
import { Menu, type MenuItem } from '../design/Menu.tsx'
import { EmptyState } from '../design/States.tsx'
import { type Column, Table } from '../design/Table.tsx'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import type { Resource, ResourceDescriptor } from './descriptor.ts'
import { MoveButtons } from './MoveButtons.tsx'
import styles from './Resource.module.css'
import { ResourcePanel } from './ResourcePanel.tsx'
import { texts } from './texts.ts'
import { useRemoval } from './use-removal.tsx'
import { useResources } from './use-resources.ts'

export type ResourceListProps<Item extends Resource, Draft extends object> = {
  resource: ResourceDescriptor<Item, Draft>
  /** The id of the object whose form is open; `new` for a new one. */
  opened: string | null | undefined
  onOpen(id: string | null, replaces?: boolean): void
  /** Shows the items in another way than a table. */
  children?:
    | ((items: Item[], open: (item: Item) => void, menuOf: (item: Item) => MenuItem[][]) => ReactNode)
    | undefined
}

/** All objects of a resource with their search, and the form of one of them. */
export function ResourceList<Item extends Resource, Draft extends object>({
  resource,
  opened,
  onOpen,
  children,
}: ResourceListProps<Item, Draft>) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [query, setQuery] = useState('')
  const [isArchived, setArchived] = useState(false)
  const list = useResources(resource, isArchived)
  const removal = useRemoval(resource)
  const mayWrite = can(resource.scope)
  const open = ({ id }: Item) => onOpen(id)
  const menuOf = (item: Item): MenuItem[][] => [
    [{ label: text.edit, icon: 'edit', onSelect: () => open(item) }, ...(resource.actionsOf?.(item) ?? [])],
    removal.itemsFor(item),
  ]

  const items = list.data ?? []
  const words = query.toLowerCase().split(/\s+/)
  const found = items.filter((item) => {
    const searched = resource.searchText(item).toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  /** Columns of texts are sorted by them, unless a person has put the list in an order. */
  const sortOf = ({ cell, align, sortBy }: Column<Item>, i: number): Column<Item>['sortBy'] => {
    if (resource.reorder || !items[0]) return undefined
    const isText = align !== 'end' && typeof cell(items[0]) === 'string'
    return sortBy ?? (i === 0 ? resource.nameOf : isText ? (item) => String(cell(item)) : undefined)
  }
  const columns: Column<Item>[] = resource.columns.map((column, i) =>
    i > 0
      ? { ...column, sortBy: sortOf(column, i) }
      : {
          ...column,
          sortBy: sortOf(column, i),
          cell: (item) => (
            <Row as="span">
              {column.cell(item)} {item.archived && <Badge>{text.archived}</Badge>}
            </Row>
          ),
        },
  )
  if (mayWrite)
    columns.push({
      name: 'actions',
      label: <span className="visually-hidden">{text.actions}</span>,
      align: 'end',
      cell: (item) => (
        <span className={styles.actions}>
          {resource.reorder && query === '' && !isArchived && (
            <MoveButtons resource={resource} items={items} item={item} />
          )}
          <Menu
            trigger={<IconButton icon="more" label={text.actionsOf(resource.nameOf(item))} />}
            groups={menuOf(item)}
          />
        </span>
      ),
    })

  return (
    <>
      <Stack gap={3}>
        <Row as="search" gap={3} wraps justify="between">
          <div className={styles.search}>
            <TextField
              label={text.search}
              hideLabel
              type="search"
              placeholder={text.search}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </div>
          {resource.hasArchive !== false && (
            <Checkbox
              label={text.showArchived}
              checked={isArchived}
              onChange={(event) => setArchived(event.target.checked)}
            />
          )}
        </Row>
        <Loaded query={list} lines={8}>
          {() =>
            items.length === 0 ? (
              <EmptyState icon={resource.icon} title={text.none}>
                <p>{resource.texts.emptyHint}</p>
              </EmptyState>
            ) : found.length === 0 ? (
              <EmptyState icon="search" title={text.nothingFound} />
            ) : children ? (
              children(found, open, menuOf)
            ) : (
              <Table
                caption={resource.texts.title}
                columns={columns}
                rows={found}
                keyOf={({ id }) => id}
                {...(mayWrite && { onOpen: open })}
              />
            )
          }
        </Loaded>
      </Stack>
      {removal.dialog}
      {opened && mayWrite && (
        <Opened
          key={opened}
          resource={resource}
          id={opened}
          known={items.find(({ id }) => id === opened)}
          onClose={() => onOpen(null)}
          onCreated={({ id }) => onOpen(id, true)}
        />
      )}
    </>
  )
}

type OpenedProps<Item extends Resource, Draft extends object> = {
  resource: ResourceDescriptor<Item, Draft>
  id: string
  known: Item | undefined
  onClose(): void
  onCreated(item: Item): void
}

/** The panel of the object with this id, which need not be in the list. */
function Opened<Item extends Resource, Draft extends object>({
  resource,
  id,
  known,
  onClose,
  onCreated,
}: OpenedProps<Item, Draft>) {
  const text = useTexts(texts)
  const toast = useToast()
  const read = useQuery({
    queryKey: [resource.path, id],
    queryFn: async () => {
      try {
        return await resource.api.retrieve(id)
      } catch (error) {
        toast.failed({ title: text.gone, detail: reasonOf(error) })
        onClose()
        throw error
      }
    },
    enabled: id !== 'new' && !known,
  })
  const item = known ?? read.data
  if (id !== 'new' && !item) return null
  return <ResourcePanel resource={resource} item={item ?? null} onClose={onClose} onCreated={onCreated} />
}
