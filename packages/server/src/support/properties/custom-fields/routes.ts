import { crud } from '../../../platform/resource/crud.ts'
import { createCustomField, deleteCustomField, updateCustomField } from './actions.ts'
import { customFieldOrders, customFieldTable, withSubject } from './queries.ts'
import {
  CustomFieldFilters,
  CustomFieldPatch,
  customFieldExample,
  customFieldWire,
  NewCustomField,
} from './schema.ts'

const plain = { ...customFieldExample, indexed: false, index_status: 'none' }

export const routes = crud({
  path: '/custom_fields',
  family: 'custom_fields',
  prefix: 'cf',
  noun: 'custom field',
  wire: customFieldWire,
  table: customFieldTable,
  orders: customFieldOrders,
  filters: CustomFieldFilters,
  conditions: ({ applies_to }) => (applies_to === undefined ? [] : [withSubject(applies_to)]),
  create: {
    description:
      'Defines a field of conversations, end users or companies: from then on they take a value for it in `custom_fields`. At most 100 fields of each kind of object.',
    body: NewCustomField,
    example: {
      applies_to: 'conversation',
      key: 'plan',
      name: 'Plan',
      description: 'The plan of the customer',
      type: 'select',
      options: [
        { value: 'free', label: 'Free' },
        { value: 'pro', label: 'Pro' },
      ],
    },
    replyExample: plain,
    handle: createCustomField,
  },
  list: { description: 'Lists the custom fields of the environment, in the order in which to show them.' },
  read: { description: 'Returns a custom field by its id.' },
  update: {
    description:
      '`key`, `type` and `applies_to` cannot be changed. Objects keep the values of an archived field, and take no new ones.',
    body: CustomFieldPatch,
    example: { end_user_access: 'read' },
    replyExample: { ...plain, end_user_access: 'read', version: 2 },
    handle: (change, patch, id) => updateCustomField(change, id, patch),
  },
  remove: {
    description:
      'Removes the field and its values: no object shows them any more, and the key is free at once. Their bytes are removed in the background. Views whose filter names the field become `broken`.',
    handle: deleteCustomField,
  },
})
