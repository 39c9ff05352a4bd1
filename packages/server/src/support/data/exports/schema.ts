import { Enum, List, type Members, Optional, Shape } from '../../../platform/resource/schema.ts'
import { ConversationFilterTree } from '../../desk/conversations/finding/body-filter.ts'
import { familyNames } from './families.ts'
import { compressions, formats } from './params.ts'

export const NewExport = Shape({
  objects: Optional(
    List(Enum(familyNames), familyNames.length, {
      minItems: 1,
      description: 'The families of objects to export. Defaults to all.',
    }),
  ),
  filter: Optional(
    ConversationFilterTree(
      'Exports only conversations that meet this filter, and their messages. Other families are exported whole.',
    ),
  ),
  format: Optional(
    Enum(formats, {
      default: 'ndjson',
      description:
        '`ndjson`: a JSON object on each line, as the API shows it. `csv`: a file for each family with a column for each member, by RFC 4180; lists and objects are JSON in their cell.',
    }),
  ),
  compression: Optional(
    Enum(compressions, { default: 'gzip', description: 'The compression of the files.' }),
  ),
})
export type NewExport = Members<typeof NewExport>
