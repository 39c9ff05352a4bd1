import { Button } from '../../design/Button.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { DraftMode } from '../model/drafts.ts'
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
  const isReply = mode === 'reply'
  return (
    <>
      {isReply && !isClosed && (
        <Button disabled={!canSend} onClick={() => onSend({ resolves: true })}>
          {text.sendAndResolve}
        </Button>
      )}
      <Button look="primary" icon={isReply ? 'send' : 'note'} disabled={!canSend} onClick={() => onSend()}>
        {isReply ? (isClosed ? text.sendFollowUp : text.send) : text.addNote}
      </Button>
    </>
  )
}
