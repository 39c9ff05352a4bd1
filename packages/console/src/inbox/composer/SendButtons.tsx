import { useState } from 'react'
import { useClock } from '../../data/now.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { tooltip } from '../../design/Tooltip.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { DraftMode } from '../model/drafts.ts'
import { afterDone, useAfterDone, useSendDelay } from '../model/preferences.ts'
import { TimeField } from '../model/TimeField.tsx'
import styles from './Composer.module.css'
import { texts } from './texts.ts'

export type SendOptions = { resolves?: boolean; at?: string | null }

type SendButtonsProps = {
  mode: DraftMode
  isClosed: boolean
  canSend: boolean
  onSend(options?: SendOptions): void
}

export function SendButtons({ mode, isClosed, canSend, onSend }: SendButtonsProps) {
  const text = useTexts(texts)
  const [isLater, setLater] = useState(false)
  const isReply = mode === 'reply'
  const label = isReply ? (isClosed ? text.sendFollowUp : text.send) : text.addNote
  const [delay, chooseDelay] = useSendDelay()
  const [leaving, chooseLeaving] = useAfterDone()
  const groups: MenuItem[][] = [
    [{ label: text.sendLater, icon: 'clock', isDisabled: !canSend, onSelect: () => setLater(true) }],
    afterDone.map((each) => ({
      label: text[each],
      isChecked: each === leaving,
      onSelect: () => chooseLeaving(each),
    })),
    [
      {
        label: text.delay,
        isChecked: delay === 'on',
        onSelect: () => chooseDelay(delay === 'on' ? 'off' : 'on'),
      },
    ],
  ]
  return (
    <>
      <span className={styles.send}>
        <Button
          variant="primary"
          icon={isReply ? 'send' : 'note'}
          disabled={!canSend}
          onClick={() => onSend()}
          {...tooltip(label, 'mod enter')}
        >
          {label}
        </Button>
        {isReply && !isClosed && (
          <Button
            variant="primary"
            icon="check"
            disabled={!canSend}
            onClick={() => onSend({ resolves: true })}
            {...tooltip(text.sendAndResolve, 'mod shift enter')}
          >
            {text.sendAndResolve}
          </Button>
        )}
        {!isClosed && (
          <Menu
            trigger={<IconButton variant="primary" icon="chevronDown" label={text.moreWays} />}
            groups={groups}
          />
        )}
      </span>
      {isLater && (
        <LaterDialog
          onClose={() => setLater(false)}
          onSend={(at) => {
            setLater(false)
            onSend({ at })
          }}
        />
      )}
    </>
  )
}

const longestMs = 365 * 86_400_000

function LaterDialog({ onClose, onSend }: { onClose(): void; onSend(at: string): void }) {
  const clock = useClock()
  const text = useTexts(texts)
  const [at, setAt] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const submit = () => {
    if (!at) return
    const inMs = Date.parse(at) - clock()
    if (inMs <= 0) setError(text.inThePast)
    else if (inMs > longestMs) setError(text.tooFar)
    else onSend(at)
  }
  return (
    <ActionDialog
      title={text.sendLater}
      action={text.schedule}
      isDisabled={!at}
      onSubmit={submit}
      onClose={onClose}
    >
      <TimeField label={text.sendAt} error={error} value={at} onChange={setAt} />
    </ActionDialog>
  )
}
