import { Icon } from '../../../design/Icon.tsx'
import { Tooltip } from '../../../design/Tooltip.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from '../texts.ts'
import styles from './Tags.module.css'

type ChipProps = { name: string; color: string | null; onRemove?: (() => void) | undefined }

export function Chip({ name, color, onRemove }: ChipProps) {
  const text = useTexts(texts)
  return (
    <span className={styles.chip}>
      <span className={styles.dot} style={color ? { background: color } : undefined} />
      <span className={styles.name}>{name}</span>
      {onRemove && (
        <Tooltip text={text.remove(name)}>
          <button type="button" className={styles.remove} aria-label={text.remove(name)} onClick={onRemove}>
            <Icon name="close" size={12} />
          </button>
        </Tooltip>
      )}
    </span>
  )
}
