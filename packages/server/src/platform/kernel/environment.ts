/** One half of a workspace: the tenant of every row (`tenant_id`), with a clock of its own. */
export type Environment = {
  tenantId: string
  workspaceId: string
  kind: 'live' | 'test'
  /** How far the environment's clock is ahead of real time; 0 in live environments. */
  clockOffsetMs: number
}
