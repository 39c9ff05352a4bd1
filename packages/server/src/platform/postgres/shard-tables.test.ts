import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renameTables, tablesWritten } from './shard-tables.ts'

const names = new Map(['tags', 'events', 'due_work'].map((table) => [table, `${table}_7`]))

const renamed: [text: string, expected: string][] = [
  ['select tags from tags where tags.id = $1', 'select tags from tags_7 as tags where tags.id = $1'],
  ['select 1 from tags t join events as e on true', 'select 1 from tags_7 t join events_7 as e on true'],
  ['select 1 from (select 1 from tags) tags', 'select 1 from (select 1 from tags_7 as tags) tags'],
  ['insert into tags (id) values ($1)', 'insert into tags_7 as tags (id) values ($1)'],
  ['insert into tags\n  select 1', 'insert into tags_7 as tags\n  select 1'],
  ['update tags set tags = 1', 'update tags_7 as tags set tags = 1'],
  [
    'delete from tags using events where true',
    'delete from tags_7 as tags using events_7 as events where true',
  ],
  [
    'select 1 from due_work, unnest($1) v for update of due_work',
    'select 1 from due_work_7 as due_work, unnest($1) v for update of due_work',
  ],
  ['select 1 where a is distinct from tags', 'select 1 where a is distinct from tags'],
  [
    'select extract(epoch from events.at) from events',
    'select extract(epoch from events.at) from events_7 as events',
  ],
  ['select 1 from tags_of($1), public.tags', 'select 1 from tags_of($1), public.tags'],
]
for (const [text, expected] of renamed)
  test(`the tables of a shard have their names in: ${text}`, () =>
    assert.equal(renameTables(text, names), expected))

test('a statement writes the tables that it inserts into, updates and deletes from, and no others', () => {
  assert.deepEqual(
    tablesWritten('with a as (insert into x values (1)), b as (update y set z = 1) delete from z using w'),
    ['x', 'y', 'z'],
  )
  assert.deepEqual(tablesWritten('select 1 from x for update of x'), [])
})
