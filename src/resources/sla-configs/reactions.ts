import { on } from '../../resource.ts'
import { tags } from '../tags/entity.ts'
import { raiseGeneration } from './queries.ts'

/** When a tag was merged, conditions that name it mean the other tag from then on. */
export const onTag = on(tags, (change, before, after) => {
  if (before && after && before.merged_into_id !== after.merged_into_id)
    change.alsoEach(raiseGeneration, null)
})
