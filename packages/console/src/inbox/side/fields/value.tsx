import type { CustomField } from '@backline/sdk'
import { Icon } from '../../../design/Icon.tsx'
import { common } from '../../../texts/common.ts'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import styles from './Fields.module.css'
import type { Value } from './types.ts'

/** A value as a person reads it; an empty text for none. */
export function useValueTexts(): (field: CustomField, value: Value) => string {
  const text = useTexts(common)
  const { moment, exact, date, number } = useFormats()
  return (field, value) => {
    if (value === null) return ''
    const labelOf = (option: string) => field.options.find((each) => each.value === option)?.label ?? option
    if (Array.isArray(value)) return value.map(labelOf).join(', ')
    if (typeof value === 'boolean') return value ? text.yes : text.no
    if (typeof value === 'number') return number(value)
    switch (field.type) {
      case 'select':
        return labelOf(value)
      case 'datetime':
        return value.endsWith(':00Z') || value.endsWith(':00.000Z') ? moment(value) : exact(value)
      case 'date':
        return date(value)
      default:
        return value
    }
  }
}

/** A value that is only shown. Addresses are links. */
export function ValueOf({ field, value }: { field: CustomField; value: Value }) {
  const describe = useValueTexts()
  const shown = describe(field, value)
  if (field.type !== 'url' || typeof value !== 'string') return shown
  return (
    <a className={styles.link} href={value} target="_blank" rel="noopener noreferrer">
      {shown} <Icon name="external" size={12} />
    </a>
  )
}
