import { ApiError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isThere, removing } from '../data/removals.ts'
import { ActionDialog } from '../design/ActionDialog.tsx'
import type { MenuItem } from '../design/Menu.tsx'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import type { FormDescriptor, Resource } from './descriptor.ts'
import { texts } from './texts.ts'

type Removal<Item> = {
  /** Items of a menu: archive or restore, delete. */
  itemsFor(item: Item): MenuItem[]
  /** Asks before something is deleted, or archived. */
  dialog: ReactNode
}

/** Archives and deletes objects. What is in use cannot be deleted; then archiving is offered. */
export function useRemoval<Item extends Resource, Draft extends object>(
  resource: FormDescriptor<Item, Draft>,
  onRemoved?: () => void,
): Removal<Item> {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const [asked, setAsked] = useState<Item | null>(null)
  const [archiving, setArchiving] = useState<Item | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [usedBecause, setUsedBecause] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = () => cache.invalidateQueries({ queryKey: [resource.path], predicate: isThere })

  function succeed(done: string): void {
    setOpen(false)
    toast.done({ title: done })
    onRemoved?.()
  }

  async function perform(work: () => PromiseLike<unknown>, done: string): Promise<void> {
    setBusy(true)
    try {
      await work()
      succeed(done)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'resource_in_use') setUsedBecause(reasonOf(error))
      else
        toast.failed({ title: text.failed, detail: resource.refusalOf?.(error)?.detail ?? reasonOf(error) })
    } finally {
      setBusy(false)
      await refresh()
    }
  }

  const archive = (item: Item, archived: boolean) =>
    void perform(
      () => resource.api.update(item.id, { archived } as never),
      (archived ? text.isArchived : text.isRestored)(resource.nameOf(item)),
    )

  function chooseArchive(item: Item): void {
    setOpen(false)
    if (resource.archiveDialog) setArchiving(item)
    else archive(item, true)
  }

  const archiveItemOf = (item: Item): MenuItem =>
    item.archived
      ? { label: text.restore, icon: 'refresh', onSelect: () => archive(item, false) }
      : { label: text.archive, icon: 'folder', onSelect: () => chooseArchive(item) }

  const hasArchive = resource.hasArchive !== false
  const canArchive = ({ archived }: Item) => hasArchive && !archived
  const ArchiveDialog = resource.archiveDialog
  return {
    itemsFor: (item) => [
      ...(hasArchive ? [archiveItemOf(item)] : []),
      {
        label: text.remove,
        icon: 'trash',
        isDangerous: true,
        onSelect() {
          setUsedBecause(null)
          setAsked(item)
          setOpen(true)
        },
      },
    ],
    dialog:
      archiving && ArchiveDialog ? (
        <ArchiveDialog
          item={archiving}
          onClose={() => setArchiving(null)}
          onArchived={() => {
            setArchiving(null)
            succeed(text.isArchived(resource.nameOf(archiving)))
            void refresh()
          }}
        />
      ) : (
        asked && (
          <ActionDialog
            isOpen={isOpen}
            title={usedBecause ? text.inUse : text.deleteNamed(resource.nameOf(asked))}
            action={usedBecause === null ? text.delete : canArchive(asked) ? text.archive : undefined}
            isDangerous={usedBecause === null}
            isDisabled={isBusy}
            onSubmit={() =>
              usedBecause
                ? chooseArchive(asked)
                : void perform(
                    () => removing(asked.id, () => resource.api.delete(asked.id)),
                    text.isRemoved(resource.nameOf(asked)),
                  )
            }
            onClose={() => setOpen(false)}
          >
            {usedBecause ? (
              <>
                <p role="alert">{usedBecause}</p>
                {hasArchive && <p>{text.inUseHint}</p>}
              </>
            ) : (
              <p>{resource.texts.removeHint ?? text.removeHint}</p>
            )}
          </ActionDialog>
        )
      ),
  }
}
