import type { Cost } from './meter.ts'
import type { operations } from './operations.ts'

/*
 * What each operation may make PostgreSQL do for one request, if no other is in progress: before its response, and after
 * it because of it. Requests at the same time share much of it. Keys and sessions, which are read once a second for all
 * requests, are left out. A change that raises a figure raises it here, with a reason; one that lowers it lowers it here.
 *
 * After a response, the consumer of notifications looks at what it was if somebody is an operator: the states of the
 * conversation and of whom it concerns, at most twice a second for an environment, however many requests there were.
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

/** The lines of the log that each operation may write by default, before the response and after it. */
export const logLines = 0

/** The values of `figures`. */
export type Figures = number[]

export type Budget = {
  before: Figures
  after: Figures
  because: string
  /** The reason why an environment with many objects costs more. */
  grows?: string
}

export const budgets: Record<keyof typeof operations, Budget> = {
  'create, end user known': {
    before: [1, 1, 0, 3, 4, 31, 3220],
    after: [5, 1, 1, 8, 3, 28, 550],
    because: 'The write, which checks the generations of what was remembered, and a foreign key.',
  },
  'create, end user new': {
    before: [2, 1, 0, 3, 5, 41, 4900],
    after: [5, 1, 1, 9, 3, 29, 600],
    because: 'The same, with the search for the end user, and its row and event.',
  },
  'message of an end user': {
    before: [2, 1, 0, 5, 5, 41, 3540],
    after: [5, 1, 1, 8, 3, 28, 550],
    because: 'The conversation with its end user, and the write.',
  },
  'message of an operator': {
    before: [3, 1, 0, 7, 5, 59, 5840],
    after: [16, 2, 2, 22, 5, 75, 1850],
    because: 'The same, with the operator and the assignment of the conversation in a second event.',
  },
  claim_next: {
    before: [5, 1, 0, 10, 5, 65, 4340],
    after: [14, 2, 1, 17, 3, 55, 650],
    because:
      'The same as a message of an operator, and the search for the conversation that has waited longest. Who reads it afterwards may find its page full, and removes the former row.',
  },
  hold: {
    before: [3, 1, 0, 7, 5, 47, 3580],
    after: [5, 1, 1, 8, 3, 28, 550],
    because: 'The conversation, the hold reason, and the write with a period on hold.',
  },
  resolve: {
    before: [3, 1, 0, 7, 5, 49, 3460],
    after: [5, 1, 1, 8, 3, 28, 550],
    because: 'The conversation, the fields that resolving requires, and the write.',
  },
  get: {
    before: [1, 0, 0, 3, 0, 8, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'The conversation with its end user.',
  },
  page: {
    before: [1, 0, 0, 22, 0, 20, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'Ids and versions; the rows are cached.',
  },
  'page of new ones': {
    before: [1, 0, 0, 22, 0, 24, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'Two indexes by status: one of conversations with clocks, and one of all.',
  },
  'page of a view': {
    before: [4, 0, 0, 23, 0, 30, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'The view and the generations that cached rows depend on.',
  },
  search: {
    before: [2, 0, 0, 43, 0, 30, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'Ids that a walk through the newest conversations finds, and their rows, which are cached.',
    grows: 'The walk has up to 200 conversations; an environment with few has 30.',
  },
  'page of an end user': {
    before: [6, 0, 0, 90, 0, 126, 0],
    after: [0, 0, 0, 0, 0, 0, 0],
    because: 'The ids of the person, and for each conversation what the end user has not read.',
  },
  upload: {
    before: [8, 3, 0, 10, 10, 63, 4580],
    after: [6, 1, 2, 9, 3, 29, 600],
    because: 'Three requests: announce, send, complete.',
  },
  'create, one webhook endpoint': {
    before: [1, 1, 0, 3, 4, 39, 3220],
    after: [13, 3, 1, 24, 8, 70, 1500],
    because:
      'After the response: the delivery, its attempt, the position of the dispatcher, and a round that finds nothing.',
  },
  'create, ten webhook endpoints': {
    before: [1, 1, 0, 3, 4, 41, 3220],
    after: [20, 7, 1, 130, 30, 330, 9900],
    because: 'The same with a row for each delivery: those that end within 10 ms are updated together.',
  },
  'create, one reader of the stream': {
    before: [1, 1, 0, 3, 4, 41, 3220],
    after: [6, 1, 1, 9, 3, 30, 550],
    because: 'After the response: the event is read for the stream.',
  },
  'message of an operator that stops clocks': {
    before: [3, 1, 0, 9, 7, 79, 7650],
    after: [16, 2, 2, 22, 5, 75, 1850],
    because: 'The clocks of the conversation, their moments, and the next alarm.',
  },
}
