import { ApiError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import type { MenuItem } from '../../design/Menu.tsx'
import { reasonOf } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Kind, Resource } from './kind.ts'
import { texts } from './texts.ts'

type Removal<Item> = {
  /** Items of a menu: archive or restore, delete. */
  itemsFor(item: Item): MenuItem[]
  /** Asks before something is deleted. */
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
  const [isOpen, setOpen] = useState(false)
  const [usedBecause, setUsedBecause] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = () => cache.invalidateQueries({ queryKey: [kind.path] })

  async function perform(work: () => PromiseLike<unknown>, done: string): Promise<void> {
    setBusy(true)
    try {
      await work()
      setOpen(false)
      toast.done({ title: done })
      onRemoved?.()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'resource_in_use') setUsedBecause(reasonOf(error))
      else toast.failed({ title: text.notDone, detail: reasonOf(error) })
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

  return {
    itemsFor: (item) => [
      item.archived
        ? { label: text.restore, icon: 'refresh', onChoose: () => archive(item, false) }
        : { label: text.archive, icon: 'folder', onChoose: () => archive(item, true) },
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
    dialog: asked && (
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={usedBecause ? text.inUse : text.removeTitle(kind.nameOf(asked))}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{text.cancel}</Button>
            {usedBecause ? (
              !asked.archived && (
                <Button look="primary" disabled={isBusy} onClick={() => archive(asked, true)}>
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
                {text.removeNow}
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
    ),
  }
}
