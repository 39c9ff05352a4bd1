import { crud } from '../../../platform/resource/crud.ts'
import { createMessageTemplate, deleteMessageTemplate, updateMessageTemplate } from './actions.ts'
import { messageTemplateOrders, messageTemplateTable } from './queries.ts'
import { MessageTemplatePatch, messageTemplateWire, NewMessageTemplate } from './schema.ts'

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
        'A body that is not valid Liquid is rejected with line and column. The [guide to templates](/guides/templates) describes the language and the standard variables.',
      handle: createMessageTemplate,
    },
    list: { description: 'Lists the message templates of all folders, with their texts in all languages.' },
    read: { description: 'Returns a message template with the `variables` that its texts use.' },
    update: {
      description:
        'Messages that were created from the template keep their text. `variants` is replaced as a whole. Archived templates cannot be chosen for new messages; hold reasons and mailboxes that use them continue to send them.',
      body: MessageTemplatePatch,
      example: { folder: 'Refunds' },
      handle: (change, patch, id) => updateMessageTemplate(change, id, patch),
    },
    remove: {
      description:
        'A template from which messages were created, or that a hold reason or mailbox uses, cannot be deleted (409). Archive it instead.',
      handle: deleteMessageTemplate,
    },
  }),
]
