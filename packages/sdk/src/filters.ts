/*
 * Filters, `{"all": […]}`, `{"any": […]}`, `{"not": …}` and conditions, for lists, views and webhook endpoints. A plain
 * object is as good as one that `where` builds, which knows the fields, their operators and values.
 */

export type FilterOperator =
  | 'is'
  | 'is_not'
  | 'in'
  | 'not_in'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'exists'
  | 'contains'
  | 'starts_with'
  | 'within'

type Scalar = string | number | boolean

/** A condition on one field. */
export type FilterCondition = { field: string; op: FilterOperator; value: Scalar | readonly Scalar[] }

/** A filter: conditions, and combinations of them. */
export type FilterTree =
  | { all: readonly FilterTree[] }
  | { any: readonly FilterTree[] }
  | { not: FilterTree }
  | FilterCondition

/** A time in RFC 3339, a date, which is its midnight in UTC, or a `Date`. */
export type FilterTime = string | Date

const plain = (value: Scalar | Date): Scalar => (value instanceof Date ? value.toISOString() : value)

/** Conditions on a field. */
export class Field<Value extends Scalar | Date> {
  /** The name of the field in filters. */
  readonly field: string

  constructor(field: string) {
    this.field = field
  }

  protected condition(op: FilterOperator, value: Scalar | Date | readonly Value[]): FilterCondition {
    return {
      field: this.field,
      op,
      value: typeof value === 'object' && 'map' in value ? value.map(plain) : plain(value),
    }
  }

  /** Has the field a value? */
  exists(exists = true): FilterCondition {
    return this.condition('exists', exists)
  }
}

export class FieldWithValue<Value extends Scalar | Date> extends Field<Value> {
  is(value: Value): FilterCondition {
    return this.condition('is', value)
  }

  /** Also met by objects without a value. */
  isNot(value: Value): FilterCondition {
    return this.condition('is_not', value)
  }
}

/** Ids and enumerations. */
export class FieldWithChoice<Value extends Scalar | Date> extends FieldWithValue<Value> {
  /** One of up to 100 values. */
  in(values: readonly Value[]): FilterCondition {
    return this.condition('in', values)
  }

  /** None of up to 100 values; also met by objects without a value. */
  notIn(values: readonly Value[]): FilterCondition {
    return this.condition('not_in', values)
  }
}

export class OrderedField<Value extends Scalar | Date> extends FieldWithChoice<Value> {
  gt(value: Value): FilterCondition {
    return this.condition('gt', value)
  }

  gte(value: Value): FilterCondition {
    return this.condition('gte', value)
  }

  lt(value: Value): FilterCondition {
    return this.condition('lt', value)
  }

  lte(value: Value): FilterCondition {
    return this.condition('lte', value)
  }
}

export class TimeField<Value extends Scalar | Date = FilterTime> extends OrderedField<Value> {
  /** `-P7D` is the last seven days, `PT8H` the next eight hours. Units are W, D, H, M and S. */
  within(period: string): FilterCondition {
    return this.condition('within', period)
  }
}

export class TextField extends FieldWithChoice<string> {
  /** Contains a text, in any case. */
  contains(text: string): FilterCondition {
    return this.condition('contains', text)
  }

  startsWith(text: string): FilterCondition {
    return this.condition('starts_with', text)
  }
}

export class ListField extends Field<string> {
  /** Has this item. */
  contains(item: string): FilterCondition {
    return this.condition('contains', item)
  }
}

/** A custom field. Its type, which the server knows, decides which operators and values are possible. */
export class CustomField extends TimeField<Scalar | Date> {
  /** A text contains this text, in any case; a list has this item. */
  contains(value: string): FilterCondition {
    return this.condition('contains', value)
  }

  startsWith(text: string): FilterCondition {
    return this.condition('starts_with', text)
  }
}

export const text = (field: string) => new TextField(field)
export const number = (field: string) => new OrderedField<number>(field)
export const time = (field: string) => new TimeField(field)
export const id = (field: string) => new FieldWithChoice<string>(field)
export const oneOf = <Value extends string>(field: string) => new FieldWithChoice<Value>(field)
export const list = (field: string) => new ListField(field)
export const boolean = (field: string) => new FieldWithValue<boolean>(field)
export const customField = (field: string) => new CustomField(field)

export const connectives = {
  /** Met if all of the filters are. */
  all: (...filters: FilterTree[]): FilterTree => ({ all: filters }),
  /** Met if one of the filters is. */
  any: (...filters: FilterTree[]): FilterTree => ({ any: filters }),
  /** Met if the filter is not. */
  not: (filter: FilterTree): FilterTree => ({ not: filter }),
}
