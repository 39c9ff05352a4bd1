import type { Category } from '@backline/sdk'
import { type KeyboardEvent, useState } from 'react'
import { nameIn, pathText, useCategories, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useOrderedChanges } from '../../data/ordered-changes.ts'
import { childrenOf } from '../../data/tree.ts'
import { Badge } from '../../design/Badge.tsx'
import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './CategoryTree.module.css'
import { texts } from './texts.ts'
import { changedBy, type Move, placeOf } from './tree.ts'

const moveOfKey: Record<string, Move> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

type CategoryTreeProps = {
  found: Category[]
  onOpen(category: Category): void
  menuOf(category: Category): MenuItem[][]
}

/** Categories below each other. A search shows what it found, with its path. */
export function CategoryTree({ found, onOpen, menuOf }: CategoryTreeProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const all = useCategories()
  const departments = useDepartments()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  const perform = useOrderedChanges<Category[]>(['categories'], text.notMoved)
  const ids = new Set(found.map(({ id }) => id))
  const categories = all.data ?? []
  const isWhole = categories.every(({ id }) => ids.has(id))

  function move(category: Category, to: Move): void {
    const place = placeOf(categories, category, to)
    if (!place) return
    const changed = changedBy(categories, category, place)
    perform({
      shown: (items) => items.map((each) => changed.find(({ id }) => id === each.id) ?? each),
      async store() {
        for (const { id, parent_id, position } of changed)
          await backline.categories.update(id, id === category.id ? { parent_id, position } : { position })
      },
    })
    const parent = categories.find(({ id }) => id === place.parent_id)
    setSaid(text.moved(category.name, parent ? `${pathText(parent.path)} › ` : ''))
    setFolded(new Set([...folded].filter((id) => id !== place.parent_id)))
  }

  function moveByKey(event: KeyboardEvent, category: Category): void {
    const to = event.altKey ? moveOfKey[event.key] : undefined
    if (!to || !isWhole) return
    event.preventDefault()
    move(category, to)
  }

  const movesOf = (category: Category): MenuItem[] =>
    (
      [
        ['up', text.moveUp, 'arrowUp'],
        ['down', text.moveDown, 'arrowDown'],
        ['in', text.indent, 'chevronRight'],
        ['out', text.outdent, 'arrowLeft'],
      ] as const
    ).map(([to, label, icon]) => ({
      label,
      icon,
      isDisabled: placeOf(categories, category, to) === null,
      onSelect: () => move(category, to),
    }))

  function rowOf(category: Category, children: Category[]) {
    const { id, name, path, archived, default_department_id, default_priority } = category
    const isOpen = !folded.has(id)
    return (
      <Row className={styles.row}>
        {children.length > 0 ? (
          <button
            type="button"
            className={classes(styles.fold, isOpen && styles.open)}
            aria-label={text.fold(name)}
            aria-expanded={isOpen}
            onClick={() =>
              setFolded(
                isOpen ? new Set([...folded, id]) : new Set([...folded].filter((each) => each !== id)),
              )
            }
          >
            <Icon name="chevronRight" />
          </button>
        ) : (
          <span className={styles.fold} />
        )}
        <button
          type="button"
          className={styles.name}
          onClick={() => onOpen(category)}
          onKeyDown={(event) => moveByKey(event, category)}
        >
          {isWhole ? name : pathText(path)}
        </button>
        {archived && <Badge>{text.archived}</Badge>}
        {category.public && <Badge tone="info">{text.public}</Badge>}
        <Truncated className={styles.facts}>
          {[nameIn(departments.data, default_department_id), default_priority && text[default_priority]]
            .filter(Boolean)
            .join(', ')}
        </Truncated>
        <span className={styles.actions}>
          <Menu
            trigger={<IconButton icon="more" label={text.actionsOf(name)} />}
            groups={[...(isWhole && !archived ? [movesOf(category)] : []), ...menuOf(category)]}
          />
        </span>
      </Row>
    )
  }

  const levelOf = (parentId: string | null) => {
    const level = childrenOf(found, parentId)
    if (level.length === 0) return null
    return (
      <ul className={styles.level}>
        {level.map((category) => (
          <li key={category.id}>
            {rowOf(category, childrenOf(found, category.id))}
            {!folded.has(category.id) && levelOf(category.id)}
          </li>
        ))}
      </ul>
    )
  }

  return (
    <>
      <div className={styles.tree}>
        {isWhole ? (
          levelOf(null)
        ) : (
          <ul>
            {found.map((category) => (
              <li key={category.id}>{rowOf(category, [])}</li>
            ))}
          </ul>
        )}
      </div>
      <small>{text.keys}</small>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </>
  )
}
