import type { Operator } from '@backline/sdk'
import { ActionDialog } from '../design/ActionDialog.tsx'
import { Notice } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'
import { useHandOver } from './use-hand-over.tsx'

/** Hands all conversations of an operator over that are not closed. */
export function MoveDialog({ operator, onClose }: { operator: Operator; onClose(): void }) {
  const text = useTexts(texts)
  const moving = useHandOver(operator, {
    choices: ['toColleague', 'toDepartment'],
    failed: text.notMoved,
    after: async () => onClose(),
  })
  return (
    <ActionDialog
      title={text.moveOf(operator.name)}
      action={moving.total > 0 ? text.move : undefined}
      isDisabled={!moving.isReady}
      onSubmit={() => void moving.run()}
      onClose={onClose}
    >
      {operator.status === 'online' && moving.total > 0 && (
        <Notice tone="info" icon="warning">
          <p>{text.stillOnline(operator.name)}</p>
        </Notice>
      )}
      {moving.fields}
    </ActionDialog>
  )
}
