import {
  Flag,
  Id,
  type Members,
  Optional,
  Shape,
  TrimmedText,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { namesOnePerson } from '../../people/end-users/one-name.ts'

export const Feedback = WithCheck(
  Shape({
    helpful: Flag({ description: 'Whether it helped.' }),
    external_user_id: Optional(
      TrimmedText(255, {
        description:
          "The end user's id in your system; nobody needs to have it. Each end user has one vote. Required unless `end_user_id` is set.",
      }),
    ),
    end_user_id: Optional(Id('eu', { description: 'The end user, in place of `external_user_id`.' })),
  }),
  ...namesOnePerson,
)
export type Feedback = Members<typeof Feedback>
