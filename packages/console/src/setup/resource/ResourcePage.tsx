import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { Page } from '../../design/Page.tsx'
import { Empty, Failed, Loading } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Kind, Resource } from './kind.ts'
import { MoveButtons } from './MoveButtons.tsx'
import styles from './Resource.module.css'
import { ResourcePanel } from './ResourcePanel.tsx'
import { Toolbar } from './Toolbar.tsx'
import { texts } from './texts.ts'
import { useRemoval } from './use-removal.tsx'
import { useResources } from './use-resources.ts'

type ResourcePageProps<Item extends Resource, Draft extends object> = {
  kind: Kind<Item, Draft>
  /** Shows the items in another way than a table. */
  children?: (items: Item[], open: (item: Item) => void, menuOf: (item: Item) => MenuItem[][]) => ReactNode
  /** Stands above the list. */
  above?: ReactNode
  /** Called when a person wants a new object, by the button of the page. */
  onCreate?: () => void
}

/** The list of all objects of a kind, and the form of the one in the address: `/tags`, `/tags/new`, `/tags/tag_…`. */
export function ResourcePage<Item extends Resource, Draft extends object>({
  kind,
  children,
  above,
  onCreate,
}: ResourcePageProps<Item, Draft>) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [path, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const [isArchived, setArchived] = useState(false)
  const list = useResources(kind, isArchived)
  const removal = useRemoval(kind)
  const mayWrite = can(kind.scope)
  const chosen = path.split('/')[2]
  const open = (item: Item) => navigate(`/${kind.path}/${item.id}`)
  const create = () => {
    onCreate?.()
    navigate(`/${kind.path}/new`)
  }
  const menuOf = (item: Item): MenuItem[][] => [
    [{ label: text.edit, icon: 'edit', onChoose: () => open(item) }, ...(kind.actionsOf?.(item) ?? [])],
    removal.itemsFor(item),
  ]
  useCommands(
    mayWrite
      ? [{ label: kind.words.create, group: kind.words.title, icon: 'plus', shortcut: 'c', run: create }]
      : [],
  )

  const items = list.data ?? []
  const words = query.toLowerCase().split(/\s+/)
  const found = items.filter((item) => {
    const searched = kind.searched(item).toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  const [first, ...rest] = kind.columns
  const columns: Column<Item>[] = [
    {
      ...first!,
      cell: (item) => (
        <Row as="span">
          {first!.cell(item)} {item.archived && <Badge>{text.archived}</Badge>}
        </Row>
      ),
    },
    ...rest,
    ...(mayWrite
      ? [
          {
            name: 'actions',
            label: <span className="visually-hidden">{text.actions}</span>,
            align: 'end' as const,
            cell: (item: Item) => (
              <span className={styles.actions}>
                {kind.reorder && query === '' && !isArchived && (
                  <MoveButtons kind={kind} items={items} item={item} />
                )}
                <Menu
                  trigger={<IconButton icon="more" label={text.actionsOf(kind.nameOf(item))} />}
                  groups={menuOf(item)}
                />
              </span>
            ),
          },
        ]
      : []),
  ]

  return (
    <Page
      title={kind.words.title}
      intro={kind.words.intro}
      actions={
        mayWrite && (
          <Button look="primary" icon="plus" onClick={create}>
            {kind.words.create}
          </Button>
        )
      }
    >
      {above}
      <Stack gap={3}>
        <Toolbar query={query} onQuery={setQuery} isArchived={isArchived} onArchived={setArchived} />
        {list.isPending ? (
          <Loading lines={8} />
        ) : list.isError ? (
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        ) : items.length === 0 ? (
          <Empty icon={kind.icon} title={text.none}>
            <p>{kind.words.emptyHint}</p>
          </Empty>
        ) : found.length === 0 ? (
          <Empty icon="search" title={text.nothingFound} />
        ) : children ? (
          children(found, open, menuOf)
        ) : (
          <Table
            caption={kind.words.title}
            columns={columns}
            rows={found}
            keyOf={({ id }) => id}
            {...(mayWrite && { onOpen: open })}
          />
        )}
      </Stack>
      {removal.dialog}
      {chosen && mayWrite && (
        <Opened
          key={chosen}
          kind={kind}
          id={chosen}
          known={items.find(({ id }) => id === chosen)}
          onClose={() => navigate(`/${kind.path}`)}
          onCreated={(item) => navigate(`/${kind.path}/${item.id}`, { replace: true })}
        />
      )}
    </Page>
  )
}

type OpenedProps<Item extends Resource, Draft extends object> = {
  kind: Kind<Item, Draft>
  id: string
  known: Item | undefined
  onClose(): void
  onCreated(item: Item): void
}

/** The panel of the object with this id, which need not be in the list. */
function Opened<Item extends Resource, Draft extends object>({
  kind,
  id,
  known,
  onClose,
  onCreated,
}: OpenedProps<Item, Draft>) {
  const text = useTexts(texts)
  const toast = useToast()
  const read = useQuery({
    queryKey: [kind.path, id],
    queryFn: async () => {
      try {
        return await kind.api.retrieve(id)
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
  return <ResourcePanel kind={kind} item={item ?? null} onClose={onClose} onCreated={onCreated} />
}
