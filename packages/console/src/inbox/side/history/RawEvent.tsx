import type { Event } from '@backline/sdk'
import { Button } from '../../../design/Button.tsx'
import { Dialog } from '../../../design/Dialog.tsx'
import { Notice } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { useCopy } from '../use-copy.ts'
import { texts } from './texts.ts'

/** An event as the API answers it. */
export function RawEvent({ event, onClose }: { event: Event | null; onClose(): void }) {
  const text = useTexts(texts)
  const copy = useCopy()
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
          <Button onClick={() => event && copy(event.id)}>{text.copyId}</Button>
          <Button icon="copy" onClick={() => copy(json)}>
            {text.copyJson}
          </Button>
        </>
      }
    >
      <Notice as="pre" tone="plain">
        {json}
      </Notice>
    </Dialog>
  )
}
