import { ApiError } from '@backline/sdk'

/** The messages of the server about the fields of a form, by the names of the fields. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(
        error.errors.flatMap(({ pointer, detail }) => {
          const name = pointer?.split('/')[1]
          return name ? [[name, detail]] : []
        }),
      )
    : {}
