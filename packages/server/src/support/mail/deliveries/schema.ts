import {
  Enum,
  type Members,
  Nullable,
  Optional,
  Shape,
  Text,
  Type,
} from '../../../platform/resource/schema.ts'
import { MailAddress } from '../../catalogue/mailboxes/addresses.ts'
import { SmtpCode } from '../../desk/messages/email/schema.ts'

export const DeliveryReport = Shape({
  status: Enum(['sent', 'delivered', 'bounced', 'failed'], {
    description:
      'What has become of the mail. A status that a recipient has passed changes nothing. `sent` only for mails that the client sends.',
  }),
  recipient: Optional(MailAddress({ description: 'The recipient; all of them by default.' })),
  reason: Optional(Nullable(Text(1, 500), { description: 'The reason in words.' })),
  smtp_code: Optional(
    SmtpCode({
      description: 'The code of the mail server: of three digits, or an enhanced code such as `5.1.1`.',
    }),
  ),
  header_message_id: Optional(
    Nullable(
      Type.String({ maxLength: 998, pattern: '^<[!-;=?-~]+>$', examples: ['<0100018f@email.example>'] }),
      {
        description:
          'The `Message-ID` that the provider gave the mail: answers to it join the conversation as well.',
      },
    ),
  ),
})
export type DeliveryReport = Members<typeof DeliveryReport>
