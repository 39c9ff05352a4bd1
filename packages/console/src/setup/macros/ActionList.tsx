import type { MacroAction } from '@backline/sdk'
import type { Faults } from '../../data/faults.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Card, Quiet, Row, Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { moved, replaced, without } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { ActionFields } from './ActionFields.tsx'
import { actionTypes, newActions } from './actions.ts'
import styles from './Macros.module.css'
import { texts } from './texts.ts'

type ActionListProps = { actions: MacroAction[]; onChange(actions: MacroAction[]): void; faults: Faults }

/** The actions of a macro in their order, each with the fields of its type. */
export function ActionList({ actions, onChange, faults }: ActionListProps) {
  const text = useTexts(texts)
  return (
    <>
      <Stack as="ol">
        {actions.map((action, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Two actions can be the same; the index is their identity.
          <Card as="li" key={`${i} ${action.type}`} gap={2} className={styles.action}>
            <Row gap={0} className={styles.head}>
              <Quiet className={styles.place} aria-hidden="true">
                {i + 1}
              </Quiet>
              <h3>{text[action.type]}</h3>
              <IconButton
                icon="arrowUp"
                label={text.moveUpNamed(text[action.type])}
                disabled={i === 0}
                onClick={() => onChange(moved(actions, i, i - 1))}
              />
              <IconButton
                icon="arrowDown"
                label={text.moveDownNamed(text[action.type])}
                disabled={i === actions.length - 1}
                onClick={() => onChange(moved(actions, i, i + 1))}
              />
              <IconButton
                icon="close"
                label={text.removeNamed(text[action.type])}
                onClick={() => onChange(without(actions, i))}
              />
            </Row>
            <ActionFields
              action={action}
              faults={faults.within(`/${i}`)}
              onChange={(next) => onChange(replaced(actions, i, next))}
            />
          </Card>
        ))}
      </Stack>
      <div>
        <Menu
          trigger={<Button icon="plus">{text.addAction}</Button>}
          groups={[actionTypes.slice(0, 2), actionTypes.slice(2, 9), actionTypes.slice(9)].map((types) =>
            types.map((type) => ({
              label: text[type],
              onSelect: () => onChange([...actions, newActions[type]]),
            })),
          )}
        />
      </div>
    </>
  )
}
