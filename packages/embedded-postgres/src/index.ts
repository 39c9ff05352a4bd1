export { makeDirectory, syncDirectory } from './cluster.ts'
export {
  DirectoryInUse,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findRunning,
  startEmbedded,
} from './embedded.ts'
export { orWhen } from './error.ts'
export { sessionLockHolder } from './lock.ts'
export { connectionThrough, readPostmaster, servesCluster } from './postmaster.ts'
export { connect } from './supervisor.ts'
