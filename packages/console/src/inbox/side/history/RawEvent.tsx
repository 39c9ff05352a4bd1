import type { Event } from '@backline/sdk'
import { Json } from '../../../design/Code.tsx'
import { CopyButton } from '../../../design/Copy.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from './texts.ts'

/** An event as the API answers it. */
export function RawEvent({ event, onClose }: { event: Event | null; onClose(): void }) {
  const text = useTexts(texts)
  return (
    <Dialog
      isOpen={event !== null}
      onClose={onClose}
      title={event?.type ?? text.event}
      form="panel"
      isText
      actions={<CopyButton value={event?.id ?? ''} label={text.copyId} />}
    >
      {event && <Json label="JSON" value={event} />}
    </Dialog>
  )
}
