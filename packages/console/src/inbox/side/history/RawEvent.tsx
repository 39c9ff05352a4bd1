import type { Event } from '@backline/sdk'
import { CopyButton } from '../../../design/Copy.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { Notice } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from './texts.ts'

/** An event as the API answers it. */
export function RawEvent({ event, onClose }: { event: Event | null; onClose(): void }) {
  const text = useTexts(texts)
  const json = JSON.stringify(event, null, 2)
  return (
    <Dialog
      isOpen={event !== null}
      onClose={onClose}
      title={event?.type ?? text.event}
      form="panel"
      isText
      actions={
        <>
          <CopyButton value={event?.id ?? ''} label={text.copyId} />
          <CopyButton value={json} label={text.copyJson} />
        </>
      }
    >
      <Notice as="pre" tone="plain">
        {json}
      </Notice>
    </Dialog>
  )
}
