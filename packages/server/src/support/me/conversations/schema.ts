import {
  Id,
  Int,
  type Members,
  Nullable,
  Optional,
  Shape,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { Subject } from '../../desk/conversations/schema.ts'
import { hasContent } from '../../desk/messages/attachments/schema.ts'
import { NewCustomFields } from '../../properties/custom-fields/values/schema.ts'
import { writtenText } from '../input.ts'

export const NewMeConversation = Shape({
  subject: Optional(Subject()),
  message: WithCheck(Shape(writtenText, { description: 'The first message.' }), ...hasContent),
  department_id: Optional(
    Nullable(Id('dept'), { description: 'The department to write to, one with `public: true`.' }),
  ),
  category_id: Optional(
    Nullable(Id('cat'), { description: 'The category of the request, one with `public: true`.' }),
  ),
  custom_fields: Optional(NewCustomFields()),
})
export type NewMeConversation = Members<typeof NewMeConversation>

export const MeReadMark = Shape({
  up_to_sequence: Optional(
    Int(0, 2147483647, {
      description:
        'The `sequence` of the last message read. Defaults to the latest message, as does a greater number.',
    }),
  ),
})
export type MeReadMark = Members<typeof MeReadMark>
