import type { Ctx } from '@backline/server/platform/unit-of-work/context.ts'
import type { Ids } from './fixtures.ts'

/**
 * Facts about routes that declarations cannot express and the contract suites need, by the names of the routes. A
 * resource exports them as `fixtures` from its `*.test-fixtures.ts`.
 */
export type RouteFixtures = {
  /** Routes that need more than existing objects. */
  preparations?: Record<string, Preparation>
  /**
   * The route that adds an item to a list which has no POST on its own path, on the same objects; a list that does so
   * is searched for new words. Null where clients cannot add items at all calls.
   */
  fillers?: Record<string, string | null>
  /** Lists whose items background work makes, which the servers of the contract suites do not do. */
  madeByWork?: string[]
  /** Lists with more items than a page, whatever clients do. */
  beyondPage?: string[]
  /** Lists whose items end by themselves within seconds of real time. */
  fleeting?: string[]
  /** Query parameters that a route does not take for the objects of the calls. */
  ofOthers?: Record<string, string[]>
  /** Prefixes of objects that no route creates, each with the list that shows the newest. */
  byproducts?: Record<string, string>
  /** Writes that change nothing the journal records: previews, the clock itself, and deliveries. */
  eventless?: string[]
  /** Writes that respond with another resource than the one that they change. */
  answersAnother?: string[]
}

export type Preparation = {
  /** Brings the objects in the path into a state that no request brings about. */
  prepare?: (ctx: Ctx, ids: Ids) => Promise<void>
  /** Routes that are called first, on the same objects, which a route without any in its path names in its body. */
  after?: string[]
  /** Request headers whose value is the id of a new object of this prefix. */
  headers?: Record<string, string>
  /** Further members of the bodies that create the objects in the path, by prefix, at the time of the server. */
  with?: Record<string, (nowMs: number) => Record<string, unknown>>
  /** Texts that are sent to the upload URL of new objects in the path, by prefix. */
  uploads?: Record<string, string>
  /** Routes that are called on new objects in the body, by prefix; `with` and `uploads` are for these, too. */
  inBody?: Record<string, string>
}
