import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { classes } from '../design/classes.ts'
import { Menu } from '../design/Menu.tsx'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import { type OperatorStatus, operatorStatuses } from '../texts/values.ts'
import styles from './StatusMenu.module.css'
import { texts } from './texts.ts'

/** The availability of the operator, on which routing of conversations depends. */
export function StatusMenu() {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline, operator } = useEnvironment()
  const cache = useQueryClient()
  const key = ['operators', operator.id]
  const { data } = useQuery({ queryKey: key, queryFn: () => backline.operators.retrieve(operator.id) })
  const set = useMutation({
    mutationFn: (status: OperatorStatus) => backline.operators.status.set(operator.id, { status }),
    onError: (error) => toast.failed({ title: text.status, detail: reasonOf(error) }),
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  })
  const status = data?.status ?? 'offline'
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
