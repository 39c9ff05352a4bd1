import { Enum, Optional, Text, WithCheck } from '../../platform/resource/schema.ts'
import { NewAttachments } from '../desk/messages/attachments/schema.ts'
import { bodyFormats } from '../vocabulary/conversations.ts'

/** The maximum length of a text that an end user writes, in bytes of UTF-8. */
export const maxBodyBytes = 16_384

const tooLong = { code: 'too_long', detail: `must have at most ${maxBodyBytes} bytes in UTF-8` } as const

/** The members of a message that an end user writes. */
export const writtenText = {
  body: Optional(
    WithCheck(
      Text(0, maxBodyBytes, {
        description: 'The text of the message, at most 16 KiB in UTF-8; required unless files are attached.',
      }),
      (body) => (Buffer.byteLength(body) > maxBodyBytes ? [tooLong] : []),
    ),
  ),
  body_format: Optional(Enum(bodyFormats, { default: 'text', description: 'The format of `body`.' })),
  attachments: Optional(NewAttachments()),
}
