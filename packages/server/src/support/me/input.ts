import { type FieldError, ofOneValue } from '../../platform/kernel/errors.ts'
import { Enum, Optional, Text } from '../../platform/resource/schema.ts'
import type { References } from '../../platform/unit-of-work/references.ts'
import { NewAttachments } from '../desk/messages/attachments/schema.ts'
import { bodyFormats } from '../vocabulary/conversations.ts'

/** The maximum length of a text that an end user writes, in bytes of UTF-8. */
export const maxBodyBytes = 16_384

/** The members of a message that an end user writes. */
export const writtenText = {
  body: Optional(
    Text(0, maxBodyBytes, {
      description: 'The text of the message, at most 16 KiB in UTF-8; required unless files are attached.',
    }),
  ),
  body_format: Optional(Enum(bodyFormats, { default: 'text', description: 'The format of `body`.' })),
  attachments: Optional(NewAttachments()),
}

/** Reports a text that is too long. */
export function checkLength(references: References, pointer: string, body: string): void {
  if (Buffer.byteLength(body) <= maxBodyBytes) return
  const detail = `must have at most ${maxBodyBytes} bytes in UTF-8`
  const fault: FieldError = { pointer, code: 'too_long', detail, [ofOneValue]: true }
  references.fault(fault)
}
