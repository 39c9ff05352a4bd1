/** One half of a workspace, live or test: the tenant of every row (`tenant_id`), with its own clock. */
export type Environment = {
  tenantId: string
  workspaceId: string
  kind: 'live' | 'test'
  /** Offset of the environment's clock from real time; 0 in live environments. */
  clockOffsetMs: number
}
