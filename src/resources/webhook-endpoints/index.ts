import { defineResource } from '../../resource.ts'

export default defineResource({
  name: 'webhook-endpoints',
  title: 'Webhook endpoints',
  description: 'Where events are sent to.',
  routes: [],
  events: [],
})
