import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Email,
  Enum,
  Id,
  Int,
  List,
  type Members,
  Nullable,
  Optional,
  revision,
  Shape,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { statuses, statusOf } from './lifecycle.ts'
import type { Invitation } from './queries.ts'

const shown = {
  id: Id('inv'),
  object: Enum(['invitation']),
  operator_id: Id('op', { description: 'The invited operator, who may have been deleted since.' }),
  email: Email({ description: "The operator's e-mail address at the time of the invitation." }),
  environments: List(Enum(['live', 'test']), 2, {
    description:
      'The environments that the link opens. One of the test environment is `["test"]`. One of the live environment is `["live", "test"]`, or `["live"]` if the operator of the test environment with this address was archived or had a role that the inviting credential could not give.',
  }),
  status: Enum(statuses, {
    description:
      '`pending` until the link is used (`accepted`), or the invitation is `revoked` or has `expired`.',
  }),
  expires_at: Timestamp({
    description: "The time from which the link is refused, by the environment's clock.",
  }),
  accepted_at: Nullable(Timestamp(), { description: 'The time at which the link was used; null if never.' }),
  revoked_at: Nullable(Timestamp(), {
    description:
      'The time at which the invitation was revoked: by a request, by a later invitation, or because the operator was archived or deleted, or got another `email` or a higher `role`. Null otherwise.',
  }),
}

export const invitationExample = {
  id: 'inv_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'invitation',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  email: 'ada@example.com',
  environments: ['live', 'test'],
  status: 'pending',
  expires_at: '2026-11-23T09:30:00.000Z',
  accepted_at: null,
  revoked_at: null,
  url: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

const presentShown = (row: Invitation, now = row.updated_at) => ({
  id: typeId('inv', row.id),
  object: 'invitation',
  operator_id: typeId('op', row.operator_id),
  email: row.email,
  environments: row.environments,
  status: statusOf(row, now),
  expires_at: row.expires_at,
  accepted_at: row.accepted_at,
  revoked_at: row.revoked_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.version,
})

export const invitationWire = defineWire<Invitation>({
  name: 'Invitation',
  schema: Shape({
    ...shown,
    url: Type.Null({ description: 'Shown by the response that creates the invitation alone.' }),
    ...revision,
  }),
  example: invitationExample,
  present: (row, now) => ({ ...presentShown(row, now), url: null }),
})

export type InvitationWithUrl = Invitation & { url: string }

/** The only response with the link. */
export const invitationWithUrlWire = defineWire<InvitationWithUrl>({
  name: 'InvitationWithUrl',
  schema: Shape({
    ...shown,
    url: Type.String({
      format: 'uri',
      maxLength: 2048,
      description: 'The link that signs in to the console, once, whoever opens it.',
    }),
    ...revision,
  }),
  example: {
    ...invitationExample,
    url: 'https://support.example.com/console#link=bkl_link_00000000000000000000000000000000000000000000000000',
  },
  present: (row, now) => ({ ...presentShown(row, now), url: row.url }),
})

export const defaultSeconds = 259_200

export const NewInvitation = Shape({
  expires_in_seconds: Optional(
    Int(900, 604_800, {
      default: defaultSeconds,
      description: 'The seconds for which the link can be used: three days by default.',
    }),
  ),
})
export type NewInvitation = Members<typeof NewInvitation>
