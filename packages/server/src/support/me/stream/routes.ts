import { live } from '../../../platform/resource/streams.ts'
import { meMessageWire } from '../shapes/message.ts'
import { openMeStream } from './stream.ts'

export const streamRoutes = [
  live({
    path: '/me/stream',
    name: 'streamMe',
    summary: 'Stream changes of own conversations',
    description:
      'Streams what happens in own conversations from now on as server-sent events: `message.created` and `message.updated` with a message, `conversation.updated` with a conversation as `data`, in the same form as in the lists and as they are when they are sent. A conversation is also sent when it is new, or when the end user starts to take part. To resume, send the last `id` as `Last-Event-ID` or `cursor`; an event may then be repeated, and none is missed. `typing` events have no `id`, and `{"conversation_id", "side", "typing", "expires_at"}` as `data`. A comment is sent at least every 15 seconds. The stream ends within a second after its session, and when it cannot be read any more: then connect again.',
    credential: 'end_user_token',
    piece: meMessageWire,
    replyExample: `id: nwx51ecnH0cG9HbsPB3N3w\nevent: message.created\ndata: ${JSON.stringify(meMessageWire.example)}\n\n`,
    endsRevoked: true,
    cursorsOf: { path: '/me/stream', sort: 'commit' },
    handle: (ctx, _, resuming, reader) => openMeStream(ctx, resuming, reader),
  }),
]
