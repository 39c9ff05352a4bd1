import type { CustomField } from '@backline/sdk'
import { useState } from 'react'
import { Quiet } from '../../../design/Layout.tsx'
import { tooltip } from '../../../design/Tooltip.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts as sideTexts } from '../texts.ts'
import { useFieldEdit } from '../use-field-edit.ts'
import { ChoiceEditor } from './ChoiceEditor.tsx'
import { Conflict } from './Conflict.tsx'
import styles from './Fields.module.css'
import { InputEditor } from './InputEditor.tsx'
import { ManyEditor } from './ManyEditor.tsx'
import type { CustomFieldsProps, EditorProps, Value, WithFields } from './types.ts'
import { useValueTexts, ValueOf } from './value.tsx'

/** The editor of each type. A type that is not known is shown, not edited. */
const editors: Partial<Record<CustomField['type'], React.ComponentType<EditorProps>>> = {
  text: InputEditor,
  number: InputEditor,
  date: InputEditor,
  datetime: InputEditor,
  url: InputEditor,
  boolean: ChoiceEditor,
  select: ChoiceEditor,
  multi_select: ManyEditor,
}

type RowProps<Item extends WithFields> = CustomFieldsProps<Item> & { field: CustomField }

export function CustomFieldRow<Item extends WithFields>({ field, object, ...props }: RowProps<Item>) {
  const text = useTexts(sideTexts)
  const describe = useValueTexts()
  const { key, name, description, archived, required_on } = field
  const saving = useFieldEdit<Item, Value>({
    object,
    queryKey: props.queryKey,
    pointer: `/custom_fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    valueIn: ({ custom_fields }) => (custom_fields[key] ?? null) as Value,
    read: props.read,
    write: (value, options) => props.write({ [key]: value }, options),
    onSaved: (before, after) => props.onSaved?.(field, before, after),
  })
  const value = (object.custom_fields[key] ?? null) as Value
  const [overwritten, setOverwritten] = useState(0)
  const Editor = props.isEditable && !archived ? editors[field.type] : undefined
  const isMissing = required_on === 'resolve' && value === null && !archived
  async function overwrite() {
    if (await saving.overwrite()) setOverwritten(overwritten + 1) // a new editor shows what is saved
  }
  return (
    <div className={styles.row}>
      <div className={styles.name}>
        {description ? (
          <>
            <span {...tooltip(description)}>{name}</span>
            <span className="visually-hidden">{description}</span>
          </>
        ) : (
          name
        )}
        {isMissing && <span className={styles.note}>{text.requiredToResolve}</span>}
        {archived && <small className={styles.archived}>{text.archived}</small>}
      </div>
      <div>
        {Editor ? (
          <Editor
            key={overwritten}
            field={field}
            value={value}
            isBusy={saving.isSaving}
            error={saving.fault}
            onBegin={saving.begin}
            onCancel={saving.reset}
            onSave={saving.save}
          />
        ) : (
          <span className={styles.still}>
            {value === null ? <Quiet>–</Quiet> : <ValueOf field={field} value={value} />}
          </span>
        )}
        {saving.theirs && (
          <Conflict
            now={describe(field, saving.theirs.value) || text.empty}
            onOverwrite={() => void overwrite()}
          />
        )}
      </div>
    </div>
  )
}
