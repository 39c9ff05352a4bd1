import { ApiError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import type { MenuItem } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Kind, Resource } from './kind.ts'
import { texts } from './texts.ts'

type Removal<Item> = {
  /** Items of a menu: archive or restore, delete. */
  itemsFor(item: Item): MenuItem[]
  /** Asks before something is deleted, or archived. */
  dialog: ReactNode
}

/** Archives and deletes objects. What is in use cannot be deleted; then archiving is offered. */
export function useRemoval<Item extends Resource, Draft extends object>(
  kind: Kind<Item, Draft>,
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
  const refresh = () => cache.invalidateQueries({ queryKey: [kind.path] })

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
      else toast.failed({ title: text.failed, detail: kind.refusalOf?.(error)?.detail ?? reasonOf(error) })
    } finally {
      setBusy(false)
      await refresh()
    }
  }

  const archive = (item: Item, archived: boolean) =>
    void perform(
      () => kind.api.update(item.id, { archived } as never),
      (archived ? text.isArchived : text.isRestored)(kind.nameOf(item)),
    )

  function chooseArchive(item: Item): void {
    setOpen(false)
    if (kind.archiveDialog) setArchiving(item)
    else archive(item, true)
  }

  const ArchiveDialog = kind.archiveDialog
  return {
    itemsFor: (item) => [
      item.archived
        ? { label: text.restore, icon: 'refresh', onChoose: () => archive(item, false) }
        : { label: text.archive, icon: 'folder', onChoose: () => chooseArchive(item) },
      {
        label: text.remove,
        icon: 'trash',
        isDangerous: true,
        onChoose() {
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
            succeed(text.isArchived(kind.nameOf(archiving)))
            void refresh()
          }}
        />
      ) : (
        asked && (
          <Dialog
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            title={usedBecause ? text.inUse : text.deleteNamed(kind.nameOf(asked))}
            actions={
              <>
                <Button onClick={() => setOpen(false)}>{text.cancel}</Button>
                {usedBecause ? (
                  !asked.archived && (
                    <Button look="primary" disabled={isBusy} onClick={() => chooseArchive(asked)}>
                      {text.archive}
                    </Button>
                  )
                ) : (
                  <Button
                    look="danger"
                    disabled={isBusy}
                    onClick={() =>
                      void perform(() => kind.api.delete(asked.id), text.isRemoved(kind.nameOf(asked)))
                    }
                  >
                    {text.delete}
                  </Button>
                )}
              </>
            }
          >
            {usedBecause ? (
              <>
                <p role="alert">{usedBecause}</p>
                <p>{text.inUseHint}</p>
              </>
            ) : (
              <p>{kind.words.removeHint ?? text.removeHint}</p>
            )}
          </Dialog>
        )
      ),
  }
}
