import { type KeyboardEvent, type SubmitEvent, useId, useState } from 'react'
import { Button, IconButton } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Conflict } from './Conflict.tsx'
import type { Kind, Resource } from './kind.ts'
import styles from './Resource.module.css'
import { texts } from './texts.ts'
import { useDraft } from './use-draft.ts'
import { useRemoval } from './use-removal.tsx'

type PanelProps<Item extends Resource, Draft extends object> = {
  kind: Kind<Item, Draft>
  /** Null for a new one. */
  item: Item | null
  onClose(): void
  onCreated?(item: Item): void
}

/** The form of an object, at the side of the page. */
export function ResourcePanel<Item extends Resource, Draft extends object>({
  kind,
  item,
  onClose,
  onCreated,
}: PanelProps<Item, Draft>) {
  const text = useTexts(texts)
  const formId = useId()
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const [error, setError] = useState(0)
  const edited = useDraft(kind, item, (saved) => {
    if (!item && kind.staysOpen) onCreated?.(saved)
    else if (kind.staysOpen !== 'always') onClose()
  })
  const { draft, base, faults, conflict, isDirty, isSaving } = edited
  const removal = useRemoval(kind, onClose)
  const close = () => (isDirty ? setAsksToDiscard(true) : onClose())
  const Form = kind.form
  const others = faults.outside(Object.keys(draft))

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    if (event.target !== event.currentTarget) return // a form in a dialog of its own
    event.preventDefault()
    setError(error + 1)
    void edited.save()
  }
  function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }

  return (
    <Dialog
      isOpen
      onClose={close}
      form="panel"
      width={kind.width ?? 'normal'}
      title={base ? kind.nameOf(base) : kind.words.create}
      actions={
        <>
          {base && (
            <div className={styles.more}>
              <Menu
                trigger={<IconButton icon="more" label={text.actions} />}
                groups={[kind.actionsOf?.(base) ?? [], removal.itemsFor(base)].filter(
                  ({ length }) => length > 0,
                )}
              />
            </div>
          )}
          <Button onClick={close}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="primary" disabled={isSaving}>
            {base ? text.save : text.create}
          </Button>
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} onSubmit={submit} onKeyDown={submitByKey}>
        {faults.count > 0 && (
          <Notice tone="bad" role="alert" key={error}>
            <p>{text.faults(faults.count)}</p>
            {others.length > 0 && (
              <ul>
                {others.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        {conflict && base && (
          <Conflict
            kind={kind}
            base={base}
            current={conflict}
            onKeepMine={() => void edited.keepMine()}
            onTakeTheirs={edited.takeTheirs}
          />
        )}
        <Form draft={draft} set={edited.set} faults={faults} item={base} />
      </Stack>
      {removal.dialog}
      <Dialog
        isOpen={asksToDiscard}
        onClose={() => setAsksToDiscard(false)}
        title={text.discardTitle}
        actions={
          <>
            <Button onClick={() => setAsksToDiscard(false)}>{text.keepEditing}</Button>
            <Button look="danger" onClick={onClose}>
              {text.discard}
            </Button>
          </>
        }
      >
        <p>{text.discardHint}</p>
      </Dialog>
    </Dialog>
  )
}
