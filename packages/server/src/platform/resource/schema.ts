import { type Static, type TArray, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { FieldErrorCode } from '../kernel/errors.ts'
import { typeIdSuffixPattern } from '../kernel/ids.ts'
import { isKnownLocale, unknownLocale } from '../kernel/locales.ts'
import { maxMetadataKeys } from '../kernel/merge-patch.ts'
import { maxSlugLength } from '../kernel/names.ts'
import { isTimeZone, noTimeZone } from '../kernel/time-zones.ts'
import type { Ctx } from '../unit-of-work/context.ts'

/*
 * The building blocks of all schemas. They are JSON Schema 2020-12, so the schema that validates a request is the
 * schema in the OpenAPI document. Every string has a maximum length and excludes NUL and lone surrogates, which
 * PostgreSQL cannot store.
 */

/** Any well-formed Unicode except NUL. Without `\p{…}`, which tools that ignore the flag `u` misread. */
const storable = '^[^\\u0000\\ud800-\\udfff]*$'

/** A `title` names the schema: the document then defines it once and refers to it. */
type Notes = { title?: string; description?: string; default?: unknown; examples?: unknown[] }

export const Text = (minLength: number, maxLength: number, notes: Notes = {}) =>
  Type.String({ minLength, maxLength, pattern: storable, ...notes })

/**
 * A text with a visible character. Adjacent parts share no character; otherwise a mismatch takes quadratic time.
 */
export const visible = '^\\s*[^\\s\\u0000\\ud800-\\udfff][^\\u0000\\ud800-\\udfff]*$'
/** No white space at the ends. */
export const trimmed =
  '^[^\\s\\u0000\\ud800-\\udfff]([^\\u0000\\ud800-\\udfff]*[^\\s\\u0000\\ud800-\\udfff])?$'

export const Name = (maxLength: number, notes: Notes = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: visible, ...notes })

/** A text without white space at its ends, such as an id in the client's system. */
export const TrimmedText = (maxLength: number, notes: Notes = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: trimmed, ...notes })

export const Enum = <const Values extends string[]>(values: readonly [...Values], notes: Notes = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...notes })

/** `type: [x, "null"]` of OpenAPI 3.1, for a schema with a `type`. */
export const Nullable = <Schema extends TSchema>(schema: Schema, notes: Notes = {}) => {
  const { type, enum: values, ...rest } = schema as unknown as TSchema & { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
    ...rest,
    ...notes,
  })
}

export const Id = (prefix: string, notes: Notes = {}) =>
  Type.String({
    maxLength: prefix.length + 27,
    pattern: `^${prefix}_${typeIdSuffixPattern}$`,
    ...notes,
  })

/** An id, or `me` for the person for whom the request acts. */
export const IdOrMe = (prefix: string, notes: Notes = {}) =>
  Type.String({ maxLength: prefix.length + 27, pattern: `^(me|${prefix}_${typeIdSuffixPattern})$`, ...notes })

/** RFC 3339; accepts any offset, returned in UTC with milliseconds. */
export const Timestamp = (notes: Notes = {}) => Type.String({ format: 'date-time', maxLength: 40, ...notes })

export const Int = (minimum: number, maximum: number, notes: Notes = {}) =>
  Type.Integer({ format: maximum > 2147483647 ? 'int64' : 'int32', minimum, maximum, ...notes })

export const Flag = (notes: Notes = {}) => Type.Boolean(notes)

export const List = <Item extends TSchema>(
  items: Item,
  maxItems: number,
  notes: Notes & { minItems?: number } = {},
) => Type.Array(items, { maxItems, ...notes })

/** A closed object: unknown members are errors. */
export const Shape = <Properties extends TProperties>(properties: Properties, notes: Notes = {}) =>
  Type.Object(properties, { additionalProperties: false, ...notes })

/** `shape` with all members optional, for PATCH. */
export const PartialShape = <Properties extends TProperties>(properties: Properties, notes: Notes = {}) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, ...notes })

export const Optional = Type.Optional

/** The schema, described for the member that uses it. */
export const Described = <Schema extends TSchema>(description: string, schema: Schema): Schema => ({
  ...schema,
  description,
})

/** A fault of a value, or of the part of it to which `pointer` leads. */
export type ValueFault = { code: FieldErrorCode; detail: string; pointer?: string }

/** Judges a value by itself, the settings of the server and nothing else: a replay has to pass it again. */
export type Check<Value> = (value: Value, ctx: Ctx) => Iterable<ValueFault> | Promise<Iterable<ValueFault>>

/**
 * Adds a check to the schema of a request, for what JSON Schema cannot express. It is made with the validation, of each
 * value but null that has no other fault; the document does not show it.
 * @param names the only members that the check reads: faults of others do not prevent it
 */
export const WithCheck = <Schema extends TSchema>(
  schema: Schema,
  check: Check<NonNullable<Static<Schema>>>,
  names?: (keyof Static<Schema> & string)[],
): Schema => ({ ...schema, check: Object.assign(check.bind(null), { names }) })

/** A member of a schema that the document does not show: the names that replace each former name of a member. */
export const formerNames = Symbol('former names')

/** A member of a schema that the document does not show: fields of the object that a request cannot change. */
export const fixedNames = Symbol('fixed names')

/** A member of a schema that the document does not show: advice on fields that clients try from habit. */
export const advice = Symbol('advice')

/** @param onFields the end of the error of an unknown field, such as `did you mean default_department_id?` */
export const Advised = <Schema extends TSchema>(
  schema: Schema,
  onFields: Record<string, string>,
): Schema => ({
  ...schema,
  [advice]: onFields,
})

/** A member of a schema that the document does not show: the values that a text may list. */
export const choices = Symbol('choices')

/** One or more of these values, separated by commas. */
export const CommaSeparated = (values: readonly string[], notes: Notes = {}) => {
  const one = `(${values.join('|')})`
  return Type.String({
    maxLength: Math.max(100, values.join(',').length),
    pattern: `^${one}(,${one})*$`,
    [choices]: values,
    ...notes,
  })
}

/** A member of a schema that the document does not show: the number of ids that a text may list. */
export const mostIds = Symbol('most ids')

/** One or more ids, separated by commas. */
export const CommaSeparatedIds = (prefix: string, most: number, notes: Notes = {}) => {
  const one = `${prefix}_${typeIdSuffixPattern}`
  return Type.String({
    maxLength: most * (prefix.length + 28) - 1,
    pattern: `^${one}(,${one}){0,${most - 1}}$`,
    [mostIds]: most,
    ...notes,
  })
}

type OneOf<Tag extends string, Variants extends Record<string, TProperties>> = {
  [Name in keyof Variants & string]: { [Member in Tag]: Name } & Static<TObject<Variants[Name]>>
}[keyof Variants & string]

/** One of several closed objects, selected by the member `tag`. Errors refer only to the selected object. */
export const Tagged = <const Tag extends string, const Variants extends Record<string, TProperties>>(
  tag: Tag,
  variants: Variants,
  notes: Notes = {},
) =>
  Type.Unsafe<OneOf<Tag, Variants>>({
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: Object.entries(variants).map(([name, members]) => Shape({ [tag]: Enum([name]), ...members })),
    ...notes,
  })

const metadataMembers = {
  type: 'object',
  maxProperties: maxMetadataKeys,
  propertyNames: { type: 'string', minLength: 1, maxLength: 40, pattern: storable },
}

export const Metadata = (notes: Notes = {}) =>
  Type.Unsafe<Record<string, string>>({
    ...metadataMembers,
    additionalProperties: { type: 'string', maxLength: 500, pattern: storable },
    description: 'Your own key-value data: up to 50 string values.',
    ...notes,
  })

/** In a PATCH, metadata merges key by key; null removes a key (RFC 7396). */
export const MetadataPatch = () =>
  Type.Unsafe<Record<string, string | null> | null>({
    ...metadataMembers,
    type: ['object', 'null'],
    maxProperties: 2 * maxMetadataKeys, // all of them removed, and as many added
    additionalProperties: { type: ['string', 'null'], maxLength: 500, pattern: storable },
    description:
      'Merged key by key. A `null` value removes that key; `null` for the whole object removes all keys.',
  })

const variableName = { type: 'string', minLength: 1, maxLength: 100, pattern: storable }

/**
 * Strings, numbers, booleans, null, and lists and objects of these. The depth is limited because renderings recurse.
 */
const variable = (depth: number): object => ({
  type: ['string', 'number', 'boolean', 'null', ...(depth > 0 ? ['array', 'object'] : [])],
  maxLength: 65_536,
  pattern: storable,
  ...(depth > 0
    ? {
        maxItems: 1_000,
        items: variable(depth - 1),
        maxProperties: 100,
        propertyNames: variableName,
        additionalProperties: variable(depth - 1),
      }
    : {}),
})

/** Variables that a client passes to a message template. */
export const TemplateVariables = () =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 100,
    propertyNames: variableName,
    additionalProperties: variable(4),
    description:
      'Variable values by name: strings, numbers, booleans, null, and lists and objects of these, nested up to five levels. `conversation`, `operator`, `end_user` and `now` are always available.',
  })

/** The syntax of BCP 47 (RFC 5646 section 2.1), such as `de`, `pt-BR` or `zh-Hant-TW`. */
export const Language = (notes: Notes = {}) =>
  Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', ...notes })

/** A language tag of a known language. */
export const KnownLanguage = (notes: Notes = {}) =>
  WithCheck(Language(notes), (locale) => (isKnownLocale(locale) ? [] : [unknownLocale]))

/** A name of the IANA time zone database. */
export const TimeZone = (notes: Notes = {}) =>
  WithCheck(Text(1, 64, { ...notes, examples: ['Europe/Berlin'] }), (name) =>
    isTimeZone(name) ? [] : [noTimeZone],
  )

/** A list in which no value is repeated. */
export const Distinct = <Item extends TSchema>(
  list: TArray<Item>,
  detail: string,
  keyOf: (value: Static<Item>) => unknown = (value) => value,
  pointer = '',
) =>
  WithCheck(list, (values) => {
    const keys = (values as Static<Item>[]).map(keyOf)
    return keys.flatMap((key, i) =>
      keys.indexOf(key) < i ? [{ pointer: `/${i}${pointer}`, code: 'not_allowed' as const, detail }] : [],
    )
  })

export const DistinctIds = (prefix: string, maxItems: number, notes: Parameters<typeof List>[2]) =>
  Distinct(List(Id(prefix), maxItems, notes), 'must not repeat an id')

/** A path segment: letters and digits of any script, `-` and `_`. Without `\p{…}`, see above. */
export const Slug = (notes: Notes = {}) =>
  Type.String({
    minLength: 1,
    maxLength: maxSlugLength,
    pattern:
      '^[^\\s\\u0000-\\u002c./:-@A-Z\\[-^`{-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u3000-\\u3004\\u3008-\\u3020\\ud800-\\udfff\\ufe00-\\uffff]+$',
    examples: ['card-declined'],
    ...notes,
  })

/** The syntax of an e-mail address: a local part, `@`, and a host. */
export const Email = (notes: Notes = {}) =>
  Type.String({
    maxLength: 254, // RFC 5321 section 4.5.3.1.3
    pattern:
      '^[^\\s@\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+(\\.[^\\s@.\\u0000-\\u001f\\ud800-\\udfff]+)*$',
    examples: ['ada@example.com'],
    ...notes,
  })

/** The API key, operator, end user or system that made a change, and the operator it acted for. */
export const Actor = (notes: Notes = {}) =>
  Shape(
    {
      type: Enum(['api_key', 'operator', 'end_user', 'mailbox', 'system'], {
        description:
          '`api_key` for a request with an API key, `operator` for one of an operator in the console, `end_user` for one with an end-user token, `mailbox` for a mail that arrived, `system` for work that the server does by itself.',
      }),
      id: Nullable(
        Text(1, 64, {
          description: 'The id of the API key, operator, end user or mailbox; null for the system.',
        }),
      ),
      operator_id: Nullable(Id('op'), {
        description:
          'The operator on whose behalf the request was made (`Backline-Operator`), or who made it in the console.',
      }),
    },
    { title: 'Actor', ...notes },
  )

/** Whether an object is archived: it is no longer listed or chosen, but stays readable. */
export const Archived = (notes: Notes = {}) =>
  Flag({
    description:
      'Whether the object is archived: still readable and shown where it is used, but omitted from lists by default and not available for new uses.',
    ...notes,
  })

/** The votes on an article or FAQ. */
export const votes = {
  helpful_count: Int(0, 2147483647, {
    description: 'The number of end users who found it helpful. Votes do not increase `version`.',
  }),
  unhelpful_count: Int(0, 2147483647, {
    description: 'The number of end users who did not find it helpful.',
  }),
}

export const CreatedAt = () => Timestamp({ description: 'The time of creation.' })

/** The last members of every mutable resource. */
export const revision = {
  created_at: CreatedAt(),
  updated_at: Timestamp({ description: 'The time of the last change that increased `version`.' }),
  version: Int(1, 2147483647, {
    description: 'Starts at 1 and increases with each change; also the `ETag`.',
  }),
}

export type Members<Schema extends TObject> = Static<Schema>
export { type Static, type TObject, type TProperties, type TSchema, Type }
