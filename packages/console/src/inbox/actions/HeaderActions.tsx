import { useCommand } from '../../app/commands.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { tooltip } from '../../design/Tooltip.tsx'
import styles from './Header.module.css'
import type { Offer } from './use-actions.ts'

type HeaderActionsProps = {
  /** Ends the work on the conversation, or begins it again: always labelled. */
  main: Offer[]
  /** They are labelled where there is room. */
  beside: Offer[]
  /** Without the list beside it, the header leads to the conversations before and after. */
  isNarrow: boolean
}

/** The buttons that are used most. */
export function HeaderActions({ main, beside, isNarrow }: HeaderActionsProps) {
  const walks = [useCommand('previous_row'), useCommand('next_row')]
  return (
    <Row gap={1}>
      {main.map(({ label, icon, shortcut, run }) => (
        <Button key={label} icon={icon} onClick={run} {...tooltip(label, shortcut)}>
          {label}
        </Button>
      ))}
      {beside.map(({ label, icon, shortcut, run }) => (
        <Button
          key={label}
          variant="plain"
          icon={icon}
          aria-label={label}
          onClick={run}
          className={styles.action}
          {...tooltip(label, shortcut)}
        >
          <span>{label}</span>
        </Button>
      ))}
      {isNarrow && (
        <Row gap={0} className={styles.walk}>
          {walks.map(
            (walk) =>
              walk?.icon && (
                <IconButton key={walk.label} icon={walk.icon} label={walk.label} onClick={() => walk.run()} />
              ),
          )}
        </Row>
      )}
    </Row>
  )
}
