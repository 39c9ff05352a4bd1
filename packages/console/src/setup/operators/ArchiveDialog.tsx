import type { Operator } from '@backline/sdk'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import type { ArchiveDialogProps } from '../../resource/descriptor.ts'
import { useHandOver } from '../../team/use-hand-over.tsx'
import { useTexts } from '../../texts/language.tsx'
import { isLastAdmin } from './api.ts'
import { texts } from './texts.ts'

/**
 * Asks what becomes of the conversations of an operator, hands them over, and archives the operator when all of it is
 * done. Closing the dialog stops this: the operator is not archived then.
 */
export function ArchiveDialog({ item: operator, onClose, onArchived }: ArchiveDialogProps<Operator>) {
  const text = useTexts(texts)
  const { backline, operator: self } = useEnvironment()
  const { id, name } = operator
  const operators = useOperators()
  const isOnlyAdmin =
    operator.role === 'admin' &&
    operators.isSuccess &&
    !operators.data?.some((each) => each.id !== id && each.role === 'admin')
  const { isReady, run, fields } = useHandOver(operator, {
    choices: ['toDepartment', 'toColleague', 'stay'],
    failed: text.archiveFailed,
    async before() {
      // Routing would fill the places that become free.
      if (operator.status !== 'offline') await backline.operators.status.set(id, { status: 'offline' })
    },
    async after(signal) {
      await backline.operators.update(id, { archived: true }, { signal })
      onArchived()
    },
    refusalOf: (error) => (isLastAdmin(error) ? text.lastAdmin : null),
  })
  return (
    <ActionDialog
      title={text.archiveTitle(name)}
      action={isOnlyAdmin ? undefined : text.archive}
      isDangerous
      isDisabled={!isReady}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      {isOnlyAdmin ? (
        <p role="alert">{text.lastAdmin}</p>
      ) : (
        <>
          <p>
            {text.archiveHint} {id === self.id && <strong>{text.archiveSelf}</strong>}
          </p>
          {fields}
        </>
      )}
    </ActionDialog>
  )
}
