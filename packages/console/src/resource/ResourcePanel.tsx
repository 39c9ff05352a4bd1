import { useState } from 'react'
import { ActionDialog } from '../design/ActionDialog.tsx'
import { IconButton } from '../design/Button.tsx'
import { Notice } from '../design/Layout.tsx'
import { Menu } from '../design/Menu.tsx'
import { inputsOf } from '../forms/inputs.ts'
import { useTexts } from '../texts/language.tsx'
import { Conflict } from './Conflict.tsx'
import type { FormDescriptor, Resource } from './descriptor.ts'
import styles from './Resource.module.css'
import { texts } from './texts.ts'
import { useFormEdit } from './use-form-edit.ts'
import { useRemoval } from './use-removal.tsx'

type PanelProps<Item extends Resource, Draft extends object> = {
  resource: FormDescriptor<Item, Draft>
  /** Null for a new one. */
  item: Item | null
  onClose(): void
  onCreated?(item: Item): void
  onRemoved?(): void
}

/** The form of an object, at the side of the page. */
export function ResourcePanel<Item extends Resource, Draft extends object>({
  resource,
  item,
  onClose,
  onCreated,
  onRemoved = onClose,
}: PanelProps<Item, Draft>) {
  const text = useTexts(texts)
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const edit = useFormEdit(resource, item, (saved) => {
    if (!item) resource.onCreated?.(saved)
    if (!item && resource.staysOpen) onCreated?.(saved)
    else if (resource.staysOpen !== 'always') onClose()
  })
  const { draft, base, faults, conflict, set } = edit
  const removal = useRemoval(resource, onRemoved)
  const Form = resource.form

  function save(): void {
    setAttempts(attempts + 1)
    edit.save()
  }

  return (
    <ActionDialog
      form="panel"
      width={resource.width ?? 'normal'}
      title={base ? resource.nameOf(base) : resource.texts.create}
      action={base ? text.save : text.create}
      isDisabled={edit.isSaving}
      onSubmit={save}
      onClose={() => (edit.isDirty ? setAsksToDiscard(true) : onClose())}
      aside={
        base && (
          <div className={styles.more}>
            <Menu
              trigger={<IconButton icon="more" label={text.actions} />}
              groups={[resource.actionsOf?.(base) ?? [], removal.itemsFor(base)].filter(
                ({ length }) => length > 0,
              )}
            />
          </div>
        )
      }
    >
      {faults.count > 0 && (
        <Notice tone="bad" role="alert" key={attempts}>
          {[text.faults(faults.count), ...faults.outside(Object.keys(draft))].join(' ')}
        </Notice>
      )}
      {conflict && (
        <Conflict resource={resource} {...conflict} onKeepMine={save} onTakeTheirs={edit.takeTheirs} />
      )}
      <Form
        draft={draft}
        set={set}
        faults={faults}
        item={base}
        {...inputsOf({ draft, labels: resource.labels, faults, set })}
      />
      {removal.dialog}
      <ActionDialog
        isOpen={asksToDiscard}
        title={text.discardTitle}
        action={text.discard}
        cancel={text.keepEditing}
        isDangerous
        onSubmit={onClose}
        onClose={() => setAsksToDiscard(false)}
      >
        <p>{text.discardHint}</p>
      </ActionDialog>
    </ActionDialog>
  )
}
