import { useCommands } from '../../app/commands.tsx'
import { useOwnStatus } from '../../data/own-status.ts'
import { classes } from '../../design/classes.ts'
import { Menu } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { operatorStatuses } from '../../texts/values.ts'
import { texts } from '../texts.ts'
import styles from './Status.module.css'
import { useSetOwnStatus } from './set-own-status.ts'
import { useIdleMinutes } from './use-automatic-status.ts'

const offered = ['5', '15', '30', 'never'] as const

/** The availability of the operator, on which routing of conversations depends. */
export function StatusMenu() {
  const text = useTexts(texts)
  const { status: own } = useOwnStatus()
  const set = useSetOwnStatus()
  const [minutes, choose] = useIdleMinutes()
  const status = own?.status ?? 'offline'
  useCommands(
    operatorStatuses
      .filter((each) => each !== status)
      .map((each) => ({
        name: `status:${each}`,
        label: text.setStatus(text[each]),
        group: text.status,
        place: 'setting',
        icon: 'heart',
        run: () => set.mutate(each),
      })),
  )
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} aria-label={`${text.status}: ${text[status]}`}>
          <span className={classes(styles.dot, styles[status])} />
        </button>
      }
      groups={[
        operatorStatuses.map((each) => ({
          label: text[each],
          isChecked: each === status,
          onSelect: () => set.mutate(each),
        })),
        offered.map((each) => ({
          label: each === 'never' ? text.neverAway : text.awayAfter(each),
          isChecked: each === minutes,
          onSelect: () => choose(each),
        })),
      ]}
    />
  )
}
