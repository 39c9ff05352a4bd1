import { withFileUrls } from '../../../platform/kernel/html-images.ts'
import { publicUrl } from '../../../platform/kernel/public-url.ts'
import { Enum, List, Nullable, Shape, Text } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { EmailContents } from '../../desk/messages/email/queries.ts'

const longest = 2_147_483_647
const Whole = (description: string) => Text(0, longest, { description })

export const messageEmailWire = defineWire<EmailContents>({
  name: 'MessageEmail',
  schema: Shape({
    object: Enum(['message_email']),
    headers: List(
      Shape({
        name: Whole('The name as it was sent.'),
        value: Whole('The value in one line, its encoded words decoded.'),
      }),
      longest,
      { description: 'The headers in their order, the first 256 KiB of them.' },
    ),
    text: Nullable(Whole('The text'), {
      description: 'The text, with its quoted history; null if it has none.',
    }),
    html: Nullable(Whole('The HTML'), {
      description:
        'The HTML, with its quoted history; null if it has none. It is sanitized: without scripts, forms, and anything that loads from elsewhere. Images of the mail are routes of files.',
    }),
  }),
  example: {
    object: 'message_email',
    headers: [
      { name: 'From', value: 'Ada Lovelace <ada@example.net>' },
      { name: 'Subject', value: 'Card declined' },
    ],
    text: 'My card was declined twice.',
    html: '<p>My card was declined twice.</p>',
  },
  present: ({ headers, text, html }) => ({
    object: 'message_email',
    headers,
    text,
    html: html && withFileUrls(html, (id) => publicUrl(`/v1/files/${id}/content`)),
  }),
})
