import { crud } from '../../crud.ts'
import { write } from '../../resource.ts'
import {
  createMessageTemplate,
  deleteMessageTemplate,
  previewMessageTemplate,
  updateMessageTemplate,
} from './actions.ts'
import { messageTemplateOrders, messageTemplateTable } from './queries.ts'
import {
  MessageTemplatePatch,
  messageTemplateWire,
  NewMessageTemplate,
  RenderRequest,
  renditionWire,
} from './schema.ts'

export const routes = [
  ...crud({
    path: '/message_templates',
    family: 'message_templates',
    prefix: 'tmpl',
    noun: 'message template',
    wire: messageTemplateWire,
    table: messageTemplateTable,
    orders: messageTemplateOrders,
    create: {
      body: NewMessageTemplate,
      example: {
        name: 'Refund on its way',
        folder: 'Billing',
        body: 'Your refund for order {{ order_id }} is on its way.',
        locale: 'en',
        variants: [{ locale: 'pt', body: 'O reembolso do pedido {{ order_id }} está a caminho.' }],
      },
      description:
        'A body that is no Liquid is refused, with line and column. `docs/templates.md` describes what templates can do.',
      handle: createMessageTemplate,
    },
    update: {
      body: MessageTemplatePatch,
      example: { folder: 'Refunds' },
      handle: (change, patch, id) => updateMessageTemplate(change, id, patch),
    },
    remove: { handle: deleteMessageTemplate },
  }),
  write({
    method: 'POST',
    path: '/message_templates/{id}/render',
    name: 'renderMessageTemplate',
    summary: 'Render a message template for a conversation',
    description:
      'Writes nothing. Needs `conversations:read`, too. Takes the body in `locale`, or the next more general language (`pt-BR`, `pt`), or else the template’s own. Variables that are used and have no value are told all at once; a template that shows too long a text or takes too much work is `validation_failed` at pointer "".',
    scope: 'message_templates:read',
    params: { id: 'tmpl' },
    errors: ['template_variable_missing'],
    body: RenderRequest,
    bodyExample: {
      conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
      variables: { order_id: 'A-1001' },
      locale: 'pt-BR',
    },
    reply: renditionWire,
    versionOf: null,
    handle: (change, { params, body }) => previewMessageTemplate(change, params.id, body),
  }),
]
