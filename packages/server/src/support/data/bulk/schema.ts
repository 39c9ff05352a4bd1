import {
  Flag,
  Id,
  List,
  type Members,
  Nullable,
  Optional,
  Shape,
  type ValueFault,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { NewActions } from '../../automation/macros/schema.ts'
import { ConversationFilterTree } from '../../desk/conversations/finding/body-filter.ts'

const maxIds = 10_000
/** The maximum number of conversations that a filter selects. */
export const maxSelected = 100_000

const Selection = WithCheck(
  Shape(
    {
      ids: Optional(
        List(Id('conv'), maxIds, {
          minItems: 1,
          description: 'The conversations. One that repeats counts once.',
        }),
      ),
      filter: Optional(
        ConversationFilterTree('Selects the conversations that meet this filter when the job starts.'),
      ),
    },
    { description: 'The conversations to change: either `ids` or `filter`.' },
  ),
  ({ ids, filter }) => exactlyOne('/ids', 'filter', ids === undefined, filter === undefined),
  ['ids', 'filter'],
)

export const NewBulk = WithCheck(
  Shape({
    selection: Selection,
    actions: Optional(NewActions('The actions of a macro, performed in this order on each conversation.')),
    macro_id: Optional(
      Nullable(Id('mac'), { description: 'A macro whose actions are performed, in place of `actions`.' }),
    ),
    dry_run: Optional(
      Flag({
        default: false,
        description: 'With `true`, nothing is changed; the results have the changes that would be made.',
      }),
    ),
  }),
  ({ actions, macro_id }) => exactlyOne('/actions', 'macro_id', actions === undefined, macro_id == null),
  ['actions', 'macro_id'],
)
export type NewBulk = Members<typeof NewBulk>

function exactlyOne(pointer: string, other: string, lacksOne: boolean, lacksOther: boolean): ValueFault[] {
  if (lacksOne !== lacksOther) return []
  return lacksOne
    ? [{ pointer, code: 'required', detail: `is required unless ${other} is set` }]
    : [{ pointer, code: 'not_allowed', detail: `cannot be combined with ${other}` }]
}
