import { faultsOf } from '../../texts/faults.ts'

/** The messages of the server about the fields of a form, by the names of the fields. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    faultsOf(error).flatMap(({ pointer, detail }) => {
      const name = pointer?.split('/')[1]
      return name ? [[name, detail]] : []
    }),
  )
