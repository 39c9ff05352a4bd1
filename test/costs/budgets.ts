import type { Cost } from './meter.ts'
import type { operations } from './operations.ts'

/*
 * What each operation may make PostgreSQL do for one request, if no other is in progress: before its response, and after
 * it because of it. Requests at the same time share much of it. A change that raises a figure raises it here, with a
 * reason; one that lowers it lowers it here.
 */

export const figures = [
  'statements',
  'commits',
  'notifications',
  'rowsRead',
  'rowsWritten',
  'buffers',
  'walBytes',
] as const satisfies (keyof Cost)[]

/** The values of `figures`. */
export type Figures = number[]

export type Budget = { before: Figures; after: Figures; because: string }

export const budgets: Record<keyof typeof operations, Budget> = {
  'create, end user known': {
    before: [4, 1, 0, 8, 4, 46, 3190],
    after: [10, 2, 1, 8, 3, 30, 590],
    because:
      'The API key (once a second), the end user, the generation of custom fields, and the write with a check of a foreign key.',
  },
  'create, end user new': {
    before: [4, 1, 0, 6, 5, 49, 4850],
    after: [10, 2, 1, 9, 3, 30, 640],
    because: 'The same, with the row and the event of the end user.',
  },
  'message of an end user': {
    before: [3, 1, 0, 8, 5, 48, 3510],
    after: [10, 2, 1, 8, 3, 32, 590],
    because: 'The API key, the conversation with its end user, and the write.',
  },
  'message of an operator': {
    before: [4, 1, 0, 10, 5, 64, 5780],
    after: [10, 2, 1, 9, 3, 32, 640],
    because: 'The same, with the operator and the assignment of the conversation in a second event.',
  },
  claim_next: {
    before: [6, 1, 0, 13, 5, 78, 4300],
    after: [10, 2, 1, 8, 3, 32, 590],
    because:
      'The same as a message of an operator, and the search for the conversation that has waited longest.',
  },
  hold: {
    before: [4, 1, 0, 10, 5, 60, 3540],
    after: [10, 2, 1, 8, 3, 32, 590],
    because: 'The conversation, the hold reason, and the write with a period on hold.',
  },
  resolve: {
    before: [5, 1, 0, 10, 5, 62, 3430],
    after: [10, 2, 1, 8, 3, 32, 590],
    because: 'The conversation, the fields that resolving requires, and the write.',
  },
  get: {
    before: [1, 0, 0, 3, 0, 10, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'The conversation with its end user. The API key is cached.',
  },
  page: {
    before: [1, 0, 0, 22, 0, 10, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'Ids and versions; the rows are cached.',
  },
  'page of new ones': {
    before: [1, 0, 0, 22, 0, 13, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'Two indexes by status: one of conversations with clocks, and one of all.',
  },
  'page of a view': {
    before: [4, 0, 0, 23, 0, 19, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'The view and the generations that cached rows depend on.',
  },
  search: {
    before: [2, 0, 0, 43, 0, 17, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'The words of conversations and messages.',
  },
  'page of an end user': {
    before: [6, 0, 0, 90, 0, 156, 0],
    after: [0, 0, 0, 1, 0, 0, 0],
    because: 'The session, its end user, and for each conversation what the end user has not read.',
  },
  upload: {
    before: [9, 3, 0, 13, 10, 72, 4540],
    after: [14, 2, 2, 11, 3, 41, 640],
    because: 'Three requests: announce, send, complete.',
  },
  'create, one webhook endpoint': {
    before: [4, 1, 0, 8, 4, 54, 3190],
    after: [20, 3, 1, 26, 6, 80, 1350],
    because: 'After the response: the delivery, its attempt, and the position of the dispatcher.',
  },
  'create, ten webhook endpoints': {
    before: [4, 1, 0, 8, 4, 54, 3190],
    after: [21, 4, 1, 181, 24, 393, 7630],
    because: 'The same ten times: a row for each delivery, inserted and removed in two statements.',
  },
  'create, one reader of the stream': {
    before: [3, 1, 0, 5, 4, 48, 3190],
    after: [12, 2, 1, 12, 3, 41, 590],
    because: 'After the response: the event is read for the stream.',
  },
  'message of an operator that stops clocks': {
    before: [3, 2, 0, 9, 7, 76, 7570],
    after: [13, 2, 1, 18, 3, 47, 640],
    because: 'The clocks of the conversation, their moments, and the next alarm.',
  },
}
