import { useOperatorNames } from '../../data/configuration.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { classes } from '../../design/classes.ts'
import { tooltip } from '../../design/Tooltip.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Presence.module.css'
import { texts } from './texts.ts'
import type { Colleague } from './use-colleagues.ts'

const mostShown = 4

const repliersFirst = (colleagues: Colleague[]): Colleague[] =>
  colleagues.toSorted((a, b) => Number(b.state === 'replying') - Number(a.state === 'replying'))

/** Initials of the colleagues who look at the conversation or reply. */
export function Colleagues({ colleagues }: { colleagues: Colleague[] }) {
  const text = useTexts(texts)
  const nameOf = useOperatorNames()
  if (colleagues.length === 0) return null
  const shown = colleagues.length > mostShown ? repliersFirst(colleagues).slice(0, mostShown - 1) : colleagues
  const more = colleagues.length - shown.length
  return (
    <ul className={styles.colleagues} aria-label={text.colleagues}>
      {shown.map(({ operator_id, state }) => {
        const name = nameOf(operator_id) ?? text.colleague
        return (
          <li key={operator_id}>
            <span
              className={classes(styles.colleague, state === 'replying' && styles.writes)}
              {...tooltip(text[state](name))}
            >
              <Avatar name={name} size={22} />
              <span className="visually-hidden">{text[state](name)}</span>
            </span>
          </li>
        )
      })}
      {more > 0 && (
        <li className={styles.more}>
          <span aria-hidden="true">+{more}</span>
          <span className="visually-hidden">{text.more(more)}</span>
        </li>
      )}
    </ul>
  )
}
