import {
  Flag,
  List,
  type Members,
  Name,
  Optional,
  Shape,
  WithCheck,
} from '../../../../platform/resource/schema.ts'
import { MailAddress } from '../../../catalogue/mailboxes/addresses.ts'

/** The largest number of recipients of one mail. */
export const maxRecipients = 50

const Recipients = (description: string) => Optional(List(MailAddress(), maxRecipients, { description }))

const shape = Shape(
  {
    to: Recipients(
      'The recipients. By default the end user, at the address from which they wrote last in the conversation.',
    ),
    cc: Recipients(
      'Further recipients. By default the confirmed participants; none if `to` is given. Recipients in `to` and `cc` become confirmed participants.',
    ),
    bcc: Recipients('Hidden recipients, who do not become participants.'),
    subject: Optional(
      Name(255, { description: 'The subject. By default that of the conversation, with `Re:` before it.' }),
    ),
    send: Optional(Flag({ default: true, description: 'With `false`, the mail is recorded and not sent.' })),
  },
  {
    title: 'NewEmail',
    description: 'The mail that the message is sent as, in a conversation with a mailbox.',
  },
)
export type NewEmail = Members<typeof shape>

export const NewEmail = () =>
  WithCheck(
    shape,
    ({ to = [], cc = [], bcc = [] }: { to?: string[]; cc?: string[]; bcc?: string[] }) =>
      to.length + cc.length + bcc.length <= maxRecipients
        ? []
        : [{ code: 'too_long', detail: `must have at most ${maxRecipients} recipients together` }],
    ['to', 'cc', 'bcc'],
  )
