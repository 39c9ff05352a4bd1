import type { EndUser } from '@backline/sdk'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useSetupPath } from '../../../app/area-paths.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { useWrite } from '../../../data/write.ts'
import { ActionDialog } from '../../../design/ActionDialog.tsx'
import { TextField } from '../../../design/Field.tsx'
import type { MenuItem } from '../../../design/Menu.tsx'
import { useToast } from '../../../design/Toast.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { useFresh } from '../use-fresh.ts'
import { EraseDialog } from './EraseDialog.tsx'
import { privacyTexts } from './privacy-texts.ts'

/** Export, legal hold and erasure of a person: menu items, and the dialog that one of them has opened. */
export function usePrivacy(person: EndUser): { items: MenuItem[]; dialog: ReactNode } {
  const text = useTexts(privacyTexts)
  const toast = useToast()
  const fresh = useFresh()
  const { backline, can } = useEnvironment()
  const setupPath = useSetupPath()
  const [, navigate] = useLocation()
  const [opened, setOpened] = useState<'hold' | 'erase' | null>(null)
  const exported = useWrite({
    run: () => backline.endUsers.export(person.id),
    refresh: [['jobs', 'list']],
    failed: text.exportFailed,
    onDone: ({ id }) =>
      toast.done({
        title: text.exportStarted,
        action: { label: text.showJob, run: () => navigate(setupPath(`jobs/${id}`)) },
      }),
  })
  const release = useWrite({
    run: () => backline.endUsers.legalHold.release(person.id),
    refresh: [],
    failed: text.holdFailed,
    onDone(result) {
      fresh(['end_users', person.id], result)
      toast.done({ title: text.holdEnded })
    },
  })
  if (!can('erasure:write') || person.status === 'merged' || person.status === 'erased')
    return { items: [], dialog: null }
  const isHeld = Boolean(person.legal_hold)
  const items: MenuItem[] = [
    { label: text.exportPerson, icon: 'external', onSelect: () => exported.mutate() },
    isHeld
      ? { label: text.endHold, icon: 'key', onSelect: () => release.mutate() }
      : { label: text.setHold, icon: 'key', onSelect: () => setOpened('hold') },
    {
      label: text.erase,
      icon: 'trash',
      isDangerous: true,
      isDisabled: isHeld,
      onSelect: () => setOpened('erase'),
    },
  ]
  const close = () => setOpened(null)
  return {
    items,
    dialog:
      opened === 'hold' ? (
        <HoldDialog person={person} onClose={close} />
      ) : opened === 'erase' ? (
        <EraseDialog person={person} onClose={close} />
      ) : null,
  }
}

function HoldDialog({ person, onClose }: { person: EndUser; onClose(): void }) {
  const text = useTexts(privacyTexts)
  const toast = useToast()
  const fresh = useFresh()
  const { backline } = useEnvironment()
  const [reason, setReason] = useState('')
  const hold = useWrite({
    run: () => backline.endUsers.legalHold.hold(person.id, { reason }),
    refresh: [],
    failed: text.holdFailed,
    fields: ['reason'],
    onDone(result) {
      fresh(['end_users', person.id], result)
      toast.done({ title: text.holdSet })
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.holdTitle}
      action={text.legalHold}
      isDisabled={hold.isPending}
      onSubmit={() => hold.mutate()}
      onClose={onClose}
    >
      <p>{text.holdHint}</p>
      <TextField
        label={text.reason}
        hint={text.holdReasonHint}
        required
        error={hold.faults.at('/reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ActionDialog>
  )
}
