import {
  Enum,
  Id,
  type Members,
  Nullable,
  Optional,
  Shape,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { hasContent } from '../../desk/messages/attachments/schema.ts'
import { writtenText } from '../input.ts'

export const NewMeMessage = WithCheck(
  Shape({
    ...writtenText,
    in_reply_to_id: Optional(
      Nullable(Id('msg'), { description: 'The message this one replies to, in the same conversation.' }),
    ),
    on_closed: Optional(
      Enum(['reject', 'follow_up'], {
        default: 'reject',
        description:
          'What happens if the conversation is closed: `reject` answers 409, `follow_up` starts a new conversation with this message.',
      }),
    ),
  }),
  ...hasContent,
)
export type NewMeMessage = Members<typeof NewMeMessage>
