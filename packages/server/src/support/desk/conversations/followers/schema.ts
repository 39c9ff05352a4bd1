import { typeId } from '../../../../platform/kernel/ids.ts'
import { Enum, Id, Shape, Timestamp } from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { type Follower, followerSources, type StoredFollower } from './queries.ts'

export const followerExample = {
  object: 'follower',
  conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  source: 'manual',
  since: '2026-11-20T09:45:00.000Z',
}

export const followerWire = defineWire<Follower | StoredFollower>({
  name: 'Follower',
  schema: Shape({
    object: Enum(['follower']),
    conversation_id: Id('conv', { description: 'The conversation.' }),
    operator_id: Id('op', { description: 'The operator who follows it.' }),
    source: Enum(followerSources, {
      description:
        'How the operator came to follow: by a request (`manual`), a `mention`, or a public message of theirs (`reply`).',
    }),
    since: Timestamp({ description: 'The time since which the operator follows.' }),
  }),
  example: followerExample,
  present: (row) => ({
    object: 'follower',
    conversation_id: typeId('conv', row.conversation_id),
    operator_id: typeId('op', row.operator_id),
    source: row.source,
    since: row.since,
  }),
})
