import { Enum, Flag, Id, type Members, Optional, Shape, Type } from '../../../platform/resource/schema.ts'
import { conflictPolicies } from './params.ts'

export const NewImport = Shape({
  file_id: Id('file', {
    description:
      'A file that is `ready` and that nothing uses: one JSON object on each line, in UTF-8, compressed by gzip or not. It is deleted when the job has ended.',
  }),
  source: Type.String({
    maxLength: 50,
    pattern: '^[a-z][a-z0-9_.-]*$',
    examples: ['zendesk'],
    description:
      'The name of the system that the objects come from. External ids are known for each source by itself.',
  }),
  on_conflict: Optional(
    Enum(conflictPolicies, {
      default: 'skip',
      description:
        'What to do with an object that was imported before, or that has the external id: leave it as it is (`skip`), or give it the fields of the line (`update`).',
    }),
  ),
  dry_run: Optional(
    Flag({
      default: false,
      description: 'With `true`, nothing is written; the results say which lines have faults.',
    }),
  ),
})
export type NewImport = Members<typeof NewImport>
