import { useOperatorNames } from '../../data/configuration.ts'
import { Icon } from '../../design/Icon.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Presence.module.css'
import { texts } from './texts.ts'
import type { Colleague } from './use-colleagues.ts'

/** Says that colleagues reply, so that nobody answers twice. */
export function Replying({ colleagues }: { colleagues: Colleague[] }) {
  const text = useTexts(texts)
  const nameOf = useOperatorNames()
  const [first, ...others] = colleagues.filter(({ state }) => state === 'replying')
  return (
    <p role="status" className={styles.replying}>
      {first && (
        <span>
          <Icon name="edit" size={12} />
          <span>
            {others.length === 0
              ? text.replying(nameOf(first.operator_id) ?? text.colleague)
              : text.manyReplying(1 + others.length)}
          </span>
        </span>
      )}
    </p>
  )
}
