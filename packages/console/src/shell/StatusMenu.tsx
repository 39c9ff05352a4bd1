import { useQuery } from '@tanstack/react-query'
import { useCommands } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { useWrite } from '../data/write.ts'
import { classes } from '../design/classes.ts'
import { Menu } from '../design/Menu.tsx'
import { useTexts } from '../texts/language.tsx'
import { type OperatorStatus, operatorStatuses } from '../texts/values.ts'
import styles from './StatusMenu.module.css'
import { texts } from './texts.ts'

/** The availability of the operator, on which routing of conversations depends. */
export function StatusMenu() {
  const text = useTexts(texts)
  const { backline, operator } = useEnvironment()
  const key = ['operators', operator.id]
  const { data } = useQuery({ queryKey: key, queryFn: () => backline.operators.retrieve(operator.id) })
  const set = useWrite({
    run: (status: OperatorStatus) => backline.operators.status.set(operator.id, { status }),
    refresh: [key],
    failed: text.status,
  })
  const status = data?.status ?? 'offline'
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
      ]}
    />
  )
}
