import { Enum, type Members, Optional, Shape, Text, WithCheck } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { maxAnswerLength } from '../faqs/schema.ts'
import { articleExample, maxBodyBytes } from '../kb/articles/schema.ts'

export const PreviewRequest = WithCheck(
  Shape({
    type: Optional(
      Enum(['kb_article', 'faq'], {
        default: 'kb_article',
        description:
          'Whether the text is the body of an article or the answer of an FAQ, which shows no files.',
      }),
    ),
    body: Text(0, maxBodyBytes, {
      description: `The text in CommonMark with tables, up to ${maxBodyBytes / 1024} KiB; that of an FAQ up to ${maxAnswerLength} characters.`,
    }),
  }),
  ({ type, body }) =>
    type === 'faq' && body.length > maxAnswerLength
      ? [
          {
            pointer: '/body',
            code: 'too_long',
            detail: `must have at most ${maxAnswerLength} characters in an FAQ`,
          },
        ]
      : [],
  ['type', 'body'],
)
export type PreviewRequest = Members<typeof PreviewRequest>

export type Preview = { body_html: string }

export const previewWire = defineWire<Preview>({
  name: 'KbPreview',
  schema: Shape({
    body_html: Text(0, 2147483647, {
      description:
        'The text as sanitized HTML, as an article or FAQ with it would have. Images of files have the address `file:file_…`, as in the text.',
    }),
  }),
  example: { body_html: articleExample.body_html },
  present: (row) => row,
})
