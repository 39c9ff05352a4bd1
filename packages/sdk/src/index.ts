export { Backline } from './backline.ts'
export type { UploadBytes } from './bytes.ts'
export * from './errors.generated.ts'
export {
  ApiError,
  BacklineError,
  ConnectionError,
  FileRejectedError,
  NotModifiedError,
  TimeoutError,
  UnexpectedResponseError,
  WebhookVerificationError,
} from './errors.ts'
export type {
  EphemeralEvent,
  EventStream,
  MeEvent,
  NotificationEvent,
  PresenceEvent,
  ReadStateEvent,
  TypingEvent,
  ViewCountsEvent,
} from './event-stream.ts'
export { where, whereEndUser } from './filters.generated.ts'
export type { FilterCondition, FilterOperator, FilterTime, FilterTree } from './filters.ts'
export type { LineStream } from './line-stream.ts'
export type { Operations } from './operations.generated.ts'
export type { BacklineOptions, RequestOptions } from './options.ts'
export type { ListReply, Reply, WithResponse } from './reply.ts'
export { type ScopeFamily, scopeFamilies } from './scopes.generated.ts'
export type * from './types.generated.ts'
export type { NewUpload } from './upload.ts'
export type { WaitOptions } from './wait.ts'
export * as webhooks from './webhooks.ts'
