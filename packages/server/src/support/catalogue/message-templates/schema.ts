import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Enum,
  Id,
  Int,
  Language,
  List,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  TemplateVariables,
  Text,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { bodyFormats } from '../../vocabulary/conversations.ts'
import { templateFaults } from './liquid.ts'
import type { MessageTemplate } from './queries.ts'

/** The maximum number of variables of a template. */
export const maxVariables = 500

const Body = () =>
  WithCheck(
    Text(1, 65_536, {
      description: 'The text as a Liquid template, such as `Hello {{ end_user.external_id }}`.',
    }),
    templateFaults,
  )

const fields = {
  name: Name(50, { description: 'The name, unique regardless of case.' }),
  folder: Nullable(Text(1, 100), { description: 'The folder in which clients show the template.' }),
  body: Body(),
  body_format: Enum(bodyFormats, { description: 'The format of the messages created from the template.' }),
  locale: Nullable(Language({ examples: ['en'] }), {
    description: 'The language of `body` as a BCP 47 tag.',
  }),
  variants: List(
    Shape(
      {
        locale: Language({
          examples: ['pt-BR'],
          description: 'The language of the variant as a BCP 47 tag, unlike `locale` of the template.',
        }),
        body: Body(),
      },
      { title: 'MessageTemplateVariant' },
    ),
    50,
    {
      description: 'The text in other languages, at most one variant per language.',
    },
  ),
}

export const messageTemplateExample = {
  id: 'tmpl_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'message_template',
  name: 'Refund on its way',
  folder: 'Billing',
  body: 'Your refund for order {{ order_id }} is on its way.',
  body_format: 'text',
  locale: 'en',
  variants: [{ locale: 'pt', body: 'O reembolso do pedido {{ order_id }} está a caminho.' }],
  variables: ['order_id'],
  archived: false,
  usage_count: 0,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const messageTemplateWire = defineWire<MessageTemplate>({
  name: 'MessageTemplate',
  schema: Shape({
    id: Id('tmpl'),
    object: Enum(['message_template']),
    ...fields,
    variables: List(Text(1, 65_536), maxVariables, {
      description:
        'The paths of all variables used in the bodies, sorted: standard ones, such as `conversation.subject`, and your own.',
    }),
    archived: Archived(),
    usage_count: Int(0, Number.MAX_SAFE_INTEGER, {
      description: 'The number of messages created from the template. Does not increase `version`.',
    }),
    ...revision,
  }),
  example: messageTemplateExample,
  present: (row) => ({ ...row, id: typeId('tmpl', row.id), object: 'message_template' }),
})

export const NewMessageTemplate = Shape({
  name: fields.name,
  folder: Optional(fields.folder),
  body: fields.body,
  body_format: Optional(
    Enum(bodyFormats, {
      default: 'text',
      description: 'The format of the messages created from the template.',
    }),
  ),
  locale: Optional(fields.locale),
  variants: Optional(fields.variants),
  archived: Optional(Archived({ default: false })),
})
export type NewMessageTemplate = Members<typeof NewMessageTemplate>

export const MessageTemplatePatch = PartialShape({ ...fields, archived: Archived() })
export type MessageTemplatePatch = Members<typeof MessageTemplatePatch>

export const RenderRequest = Shape({
  conversation_id: Id('conv', { description: 'The conversation that gives the standard variables.' }),
  variables: Optional(TemplateVariables()),
  locale: Optional(
    Nullable(Language({ examples: ['pt-BR'] }), {
      description: 'The language to render in. Defaults to the language of the conversation.',
    }),
  ),
})
export type RenderRequest = Members<typeof RenderRequest>

/** A rendered template. */
export type Rendition = { body: string; body_format: 'text' | 'markdown'; locale: string | null }

export const renditionWire = defineWire<Rendition>({
  name: 'RenderedTemplate',
  schema: Shape({
    body: Text(0, 65_536, { description: 'The text with all variables filled in.' }),
    body_format: Enum(bodyFormats, { description: 'The format of the template.' }),
    locale: Nullable(Language(), { description: 'The language of the body that was used.' }),
  }),
  example: {
    body: 'O reembolso do pedido A-1001 está a caminho.',
    body_format: 'text',
    locale: 'pt',
  },
  present: (row) => row,
})
