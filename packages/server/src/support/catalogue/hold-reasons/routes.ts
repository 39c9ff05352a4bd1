import { crud } from '../../../platform/resource/crud.ts'
import { createHoldReason, deleteHoldReason, updateHoldReason } from './actions.ts'
import { holdReasonOrders, holdReasonTable } from './queries.ts'
import { HoldReasonPatch, holdReasonExample, holdReasonWire, NewHoldReason } from './schema.ts'

export const routes = crud({
  path: '/hold_reasons',
  family: 'hold_reasons',
  prefix: 'hold',
  noun: 'hold reason',
  wire: holdReasonWire,
  table: holdReasonTable,
  orders: holdReasonOrders,
  create: {
    description:
      'A hold reason sets what a hold does: whom the conversation waits for, whether SLA clocks pause, how long it may last and what happens when it expires.',
    body: NewHoldReason,
    example: {
      name: holdReasonExample.name,
      default_duration_seconds: holdReasonExample.default_duration_seconds,
      max_duration_seconds: holdReasonExample.max_duration_seconds,
      follow_up: holdReasonExample.follow_up,
    },
    handle: createHoldReason,
  },
  list: { description: 'Lists the reasons that operators can choose when they put a conversation on hold.' },
  read: { description: 'Returns a hold reason by its id, also an archived one to which past holds refer.' },
  update: {
    description:
      'Current holds keep their `until`, `waiting_on`, `pauses_sla` and `resumes_on_reply`. A new `on_expiry` applies to them, too.',
    body: HoldReasonPatch,
    example: { resumes_on_reply: false },
    replyExample: { ...holdReasonExample, resumes_on_reply: false, version: 2 },
    handle: (change, patch, id) => updateHoldReason(change, id, patch),
  },
  remove: {
    description:
      'A hold reason that any hold has used, also a past one, cannot be deleted (409). Archive it instead.',
    handle: deleteHoldReason,
  },
})
