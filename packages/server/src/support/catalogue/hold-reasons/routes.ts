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
    body: NewHoldReason,
    example: {
      name: holdReasonExample.name,
      default_duration_seconds: holdReasonExample.default_duration_seconds,
      max_duration_seconds: holdReasonExample.max_duration_seconds,
      follow_up: holdReasonExample.follow_up,
    },
    handle: createHoldReason,
  },
  update: {
    body: HoldReasonPatch,
    example: { resumes_on_reply: false },
    replyExample: { ...holdReasonExample, resumes_on_reply: false, version: 2 },
    handle: (change, patch, id) => updateHoldReason(change, id, patch),
  },
  remove: { handle: deleteHoldReason },
})
