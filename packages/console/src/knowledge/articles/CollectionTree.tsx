import type { KbArticleSummary, KbCollection } from '@backline/sdk'
import { useEffect, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { childrenOf } from '../../data/tree.ts'
import { useWrite } from '../../data/write.ts'
import { IconButton } from '../../design/Button.tsx'
import { Checkbox } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row, Stack, Truncated } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { moved } from '../../forms/changes.ts'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useRemoval } from '../../resource/use-removal.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { stateOf } from '../shared/articles.ts'
import { type Branch, branchesOf, collectionsKey, useCollections } from '../shared/collections.ts'
import styles from './CollectionTree.module.css'
import { useCollectionResource } from './collection-resource.tsx'
import { texts } from './texts.ts'

type CollectionTreeProps = {
  articles: KbArticleSummary[]
  chosen: string
  onSelect(id: string): void
}

/** The form of a collection, or of a new one inside another. */
type CollectionForm = { collection: KbCollection | null; parentId: string | null }

/** The collections with their numbers of articles, as a filter of the list and a place to arrange them. */
export function CollectionTree({ articles, chosen, onSelect }: CollectionTreeProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const { can } = useEnvironment()
  const {
    data: all = [],
    isFetchedAfterMount,
    isFetching,
    isPending,
    isError,
    error,
    refetch,
  } = useCollections()
  const [isOpen, setOpen] = useState(false)
  const [isArchiveShown, setArchiveShown] = useState(false)
  const [form, setForm] = useState<CollectionForm | null>(null)
  const resource = useCollectionResource(form?.parentId ?? null)
  const removal = useRemoval(resource)
  const mayWrite = can('kb:write')
  // A list from before can lack a collection that somebody has just made.
  const isMissing = chosen !== '' && !isFetching && all.every(({ id }) => id !== chosen)
  useEffect(() => {
    if (!isMissing || isError) return
    if (isFetchedAfterMount) onSelect('')
    else void refetch()
  }, [isMissing, isError, isFetchedAfterMount, onSelect, refetch])
  useCommands(
    mayWrite
      ? [
          {
            label: text.newCollection,
            group: text.articles,
            icon: 'folder',
            run: () => setForm({ collection: null, parentId: null }),
          },
        ]
      : [],
  )
  const unarchived = articles.filter((each) => stateOf(each) !== 'archived')
  const branches = branchesOf(all, unarchived).filter(
    ({ collection }) => isArchiveShown || !collection.archived || collection.id === chosen,
  )
  const row = (id: string, name: string, count: number) => (
    <button
      type="button"
      className={styles.choose}
      aria-current={chosen === id ? 'true' : undefined}
      onClick={() => onSelect(id)}
    >
      <Icon name={id === '' ? 'book' : 'folder'} />
      <Truncated dir="auto">{name}</Truncated>
      <small className={styles.count}>{formats.number(count)}</small>
    </button>
  )
  return (
    <Stack
      as="section"
      className={styles.tree}
      data-open={isOpen ? '' : undefined}
      aria-label={text.collections}
    >
      <Row as="header" justify="between" className={styles.header}>
        <h2>{text.collections}</h2>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="folder" />
          <Truncated>{all.find(({ id }) => id === chosen)?.name ?? text.allCollections}</Truncated>
          <Icon name="chevronDown" />
        </button>
        {mayWrite && (
          <IconButton
            icon="plus"
            label={text.newCollection}
            onClick={() => setForm({ collection: null, parentId: null })}
          />
        )}
      </Row>
      {isPending ? (
        <Loading lines={4} />
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.list}>
          <Row as="li" gap={0}>
            {row('', text.allCollections, unarchived.length)}
          </Row>
          {branches.map((branch) => (
            <Row
              as="li"
              key={branch.collection.id}
              gap={0}
              className={styles.row}
              style={{ paddingInlineStart: `${branch.depth * 0.875}rem` }}
            >
              {row(
                branch.collection.id,
                branch.collection.archived
                  ? `${branch.collection.name} (${text.archivedMark})`
                  : branch.collection.name,
                branch.count,
              )}
              {mayWrite && (
                <Actions
                  branch={branch}
                  all={all}
                  onEdit={setForm}
                  removal={removal.itemsFor(branch.collection)}
                />
              )}
            </Row>
          ))}
        </ul>
      )}
      {all.some(({ archived }) => archived) && (
        <Checkbox
          label={text.showArchived}
          checked={isArchiveShown}
          onChange={(event) => setArchiveShown(event.target.checked)}
        />
      )}
      {form && <ResourcePanel resource={resource} item={form.collection} onClose={() => setForm(null)} />}
      {removal.dialog}
    </Stack>
  )
}

type ActionsProps = {
  branch: Branch
  all: KbCollection[]
  onEdit(form: CollectionForm): void
  removal: MenuItem[]
}

function Actions({ branch: { collection, isLast }, all, onEdit, removal }: ActionsProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const siblings = childrenOf(all, collection.parent_id)
  const place = siblings.indexOf(collection)
  const write = useWrite<() => Promise<unknown>>({
    run: (act) => act(),
    refresh: [collectionsKey],
    failed: text.notSaved,
  })
  /** Equal positions are possible, so all siblings get their number. */
  const move = (by: number) =>
    write.mutate(async () => {
      for (const [position, each] of moved(siblings, place, place + by).entries())
        if (each.position !== position) await backline.kb.collections.update(each.id, { position })
    })
  const groups: MenuItem[][] = [
    [
      { label: text.edit, icon: 'edit', onSelect: () => onEdit({ collection, parentId: null }) },
      {
        label: text.newInside,
        icon: 'plus',
        onSelect: () => onEdit({ collection: null, parentId: collection.id }),
      },
      { label: text.moveUp, icon: 'arrowUp', isDisabled: place === 0, onSelect: () => move(-1) },
      { label: text.moveDown, icon: 'arrowDown', isDisabled: isLast, onSelect: () => move(1) },
    ],
    removal,
  ]
  return (
    <Menu
      trigger={
        <IconButton icon="more" isSmall className={styles.more} label={text.actionsOf(collection.name)} />
      }
      groups={groups}
    />
  )
}
