/**
 * Facts that the contract suites need about the routes of a resource and that declarations cannot express. A resource
 * exports them as `fixtures` from its `fixtures.ts`, by route name. The server does not load them.
 */
export type RouteFixtures = {
  /** Routes that need more than existing objects. */
  preparations?: Record<string, Preparation>
  /**
   * The route that adds an item to a list which has no POST on its own path, on the same objects. Null where clients
   * cannot add items at all calls.
   */
  fillers?: Record<string, string | null>
  /** Prefixes of objects that no route creates, each with the list that shows the newest. */
  byproducts?: Record<string, string>
  /** Writes that change nothing the journal records: previews, the clock itself, and deliveries. */
  eventless?: string[]
  /** Writes that respond with another resource than the one that they change. */
  answersAnother?: string[]
}

export type Preparation = {
  /** Routes that are called first, on the same objects. */
  after?: string[]
  /** Request headers whose value is the id of a new object of this prefix. */
  headers?: Record<string, string>
}
