import { useOrderedChanges } from '../data/ordered-changes.ts'
import { IconButton } from '../design/Button.tsx'
import { moved } from '../forms/changes.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import type { Resource, ResourceDescriptor } from './descriptor.ts'

type MoveButtonsProps<Item extends Resource, Draft extends object> = {
  resource: ResourceDescriptor<Item, Draft>
  items: Item[]
  item: Item
}

/** Moves an item one place up or down. The list shows it at once. */
export function MoveButtons<Item extends Resource, Draft extends object>({
  resource,
  items,
  item,
}: MoveButtonsProps<Item, Draft>) {
  const text = useTexts(common)
  const perform = useOrderedChanges<Item[]>([resource.path], text.failed)
  const at = items.findIndex(({ id }) => id === item.id)
  const name = resource.nameOf(item)
  function move(to: number): void {
    const next = moved(items, at, to)
    perform({
      shown: () => next.map((each, i) => ('position' in each ? { ...each, position: i + 1 } : each)),
      store: async () => resource.reorder?.(next),
    })
  }
  return (
    <>
      <IconButton
        icon="arrowUp"
        label={text.moveUpNamed(name)}
        disabled={at <= 0}
        isSmall
        onClick={() => move(at - 1)}
      />
      <IconButton
        icon="arrowDown"
        label={text.moveDownNamed(name)}
        disabled={at >= items.length - 1}
        isSmall
        onClick={() => move(at + 1)}
      />
    </>
  )
}

/** Stores the order of items that have a `position`, by writing those that change. */
export async function reorderByPosition<Item extends Resource & { position: number }>(
  api: ResourceDescriptor<Item, object>['api'],
  items: Item[],
): Promise<void> {
  for (const [i, item] of items.entries())
    if (item.position !== i + 1) await api.update(item.id, { position: i + 1 } as never)
}
