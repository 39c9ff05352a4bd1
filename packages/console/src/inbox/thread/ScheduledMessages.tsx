import type { Message } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useScheduled } from '../model/messages.ts'
import { MessageView } from './MessageView.tsx'
import { texts } from './texts.ts'

type ScheduledMessagesProps = { conversationId: string; authorOf(message: Message): string }

/** Messages that are sent later, with a way to cancel each. */
export function ScheduledMessages({ conversationId, authorOf }: ScheduledMessagesProps) {
  const text = useTexts(texts)
  const { moment } = useFormats()
  const { backline, can } = useEnvironment()
  const { data } = useScheduled(conversationId)
  const cancel = useWrite({
    run: (id: string) => backline.messages.delete(id),
    refresh: [['conversations', conversationId, 'scheduled']],
    failed: text.cancelFailed,
  })
  return data?.map((message) => (
    <MessageView
      key={message.id}
      message={message}
      author={authorOf(message)}
      state={
        <Row as="small" wraps>
          <Icon name="clock" size={14} />
          <span>{text.scheduledFor(message.send_at ? moment(message.send_at) : '')}</span>
          {can('messages:write') && (
            <Button disabled={cancel.isPending} onClick={() => cancel.mutate(message.id)}>
              {text.cancel}
            </Button>
          )}
        </Row>
      }
    />
  ))
}
