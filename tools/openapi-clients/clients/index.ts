export * as heyApi from './hey-api'
export * as openapiTypescript from './openapi-typescript'
export * as orval from './orval'
