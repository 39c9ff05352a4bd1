import { defineResource } from '../../platform/resource/resource.ts'
import { conversationRoutes } from './conversations/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { streamRoutes } from './stream/routes.ts'

export default defineResource({
  name: 'me',
  title: 'The API of end users',
  group: { title: 'People', place: 16 },
  description:
    'A web page or app calls these routes with an end-user token. They show the conversations of one person, and nothing internal.',
  routes: [
    ...profileRoutes,
    ...conversationRoutes,
    ...messageRoutes,
    ...fileRoutes,
    ...knowledgeRoutes,
    ...streamRoutes,
  ],
  events: [],
})
