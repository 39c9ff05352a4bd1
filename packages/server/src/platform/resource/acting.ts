import type { FieldError } from '../kernel/errors.ts'

/** The fault of a request that must act for an operator and names none. */
export const operatorRequired: FieldError = {
  header: 'Backline-Operator',
  code: 'required',
  detail: 'is required, because the request acts for an operator',
}
