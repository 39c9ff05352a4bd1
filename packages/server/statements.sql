-- Statements that the server sends, so that reviews show what becomes of SQL that is put together.
-- Written by `npm run gen:statements`. For each `sql` template of the source, it has the shortest statement with it,
-- under the place of the statement's longest template.

-- packages/server/src/platform/journal/heads.ts: addMissingHeads
insert into journal_heads (tenant_id, position) values ($1, 0) on conflict (tenant_id) do nothing;

-- packages/server/src/platform/journal/heads.ts: addMissingHeads
select e.id from environments e
    left join journal_heads h on h.tenant_id = e.id where h.tenant_id is null;

-- packages/server/src/platform/journal/heads.ts: endOfJournal
select position from journal_heads where tenant_id = $1;

-- packages/server/src/platform/journal/heads.ts: findBounds
select h.position as head, f.epoch, f.position, f.ordinal
    from journal_heads h left join journal_floors f on f.tenant_id = h.tenant_id and f.tenant_id = $1
    where h.tenant_id = $2;

-- packages/server/src/platform/journal/heads.ts: findConsumed
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind,
      e.clock_offset_ms as "clockOffsetMs", p.epoch, p.position, p.ordinal, h.position as head, l.holder, l.leased_until as "leasedUntil"
    from environments e left join journal_heads h on h.tenant_id = e.id and h.tenant_id = $1
    left join journal_positions p on p.tenant_id = e.id and p.tenant_id = $2 and p.follower = $3
    left join leases l on l.tenant_id = e.id and l.tenant_id = $4 and l.work = $5
    where e.id = $6;

-- packages/server/src/platform/journal/heads.ts: keepBeyond
update journal_heads set position = $1::bigint
    where tenant_id = $2 and position < $3::bigint returning 1;

-- packages/server/src/platform/journal/heads.ts: noteHeads
select max(position) as position from journal_heads;

-- packages/server/src/platform/journal/positions.ts: advanceConsumer
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1) select 1 / ((select count(*) from g0) = $9::bigint)::integer;

-- packages/server/src/platform/journal/positions.ts: advanceConsumer
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1), w0 as (delete from notifications where tenant_id = $9 and conversation_id = any($10::uuid[]) returning 1), w1 as (delete from followers where tenant_id = $11 and conversation_id = $12
     returning 1), w2 as (delete from notification_readings where tenant_id = $13
    and (epoch, position, ordinal) <= ($14::integer, $15::text::xid8, $16::integer) returning 1) select 1 / ((select count(*) from g0) = $17::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer;

-- packages/server/src/platform/journal/positions.ts: advanceConsumer
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1), w0 as (insert into audit_blocks (tenant_id, number, epoch, position, ordinal, entries, head, sealed_at)
    values ($9, $10, $11, $12::text::xid8, $13, $14, $15, $16) returning 1) select 1 / ((select count(*) from g0) = $17::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/journal/positions.ts: after
select count(*) from events where tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer);

-- packages/server/src/platform/journal/positions.ts: afterFloor
select count(*) from (select 1 from events where tenant_id = $1 and stream_id = $2 and not exists (select 1 from journal_floors floor where floor.tenant_id = $3
    and (floor.epoch, floor.position, floor.ordinal) >= (events.epoch, events.position, events.ordinal)) limit $4) found;

-- packages/server/src/platform/journal/positions.ts: findFloor
select epoch, position, ordinal from journal_floors where tenant_id = $1;

-- packages/server/src/platform/journal/positions.ts: touchConsumer
insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      values ($1, $2, 0, '0', 0) returning 1;

-- packages/server/src/platform/journal/positions.ts: unreadEvents
select
      greatest(0, max($1::bigint + e.clock_offset_ms - extract(epoch from news.created_at) * 1000))::float8 as ms
    from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = $2
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0)) order by events.epoch, events.position, events.ordinal limit $3) news
    where (h.position = 0 or p.epoch is distinct from $4::integer or p.position < h.position::text::xid8);

-- packages/server/src/platform/journal/positions.ts: unreadEvents
select count(*) as events from (select 1 from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = $1
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0)) order by events.epoch, events.position, events.ordinal limit $2) news
    where (h.position = 0 or p.epoch is distinct from $3::integer or p.position < h.position::text::xid8) limit $4) found;

-- packages/server/src/platform/journal/positions.ts: unreadEvents
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = $1
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0)) order by events.epoch, events.position, events.ordinal limit $2) news
    where (h.position = 0 or p.epoch is distinct from $3::integer or p.position < h.position::text::xid8);

-- packages/server/src/platform/journal/positions.ts: unreadEvents
select h.tenant_id as id from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = $1
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0)) order by events.epoch, events.position, events.ordinal limit $2) news
    where (h.position = 0 or p.epoch is distinct from $3::integer or p.position < h.position::text::xid8) and exists (select 1 from operators o where o.tenant_id = h.tenant_id and not o.archived);

-- packages/server/src/platform/journal/retention.ts: consumedUpTo
select epoch, position, ordinal from journal_positions
    where tenant_id = $1 and follower = $2;

-- packages/server/src/platform/journal/retention.ts: environmentsWithExpiredEvents
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_floors f on f.tenant_id = h.tenant_id
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(f.epoch, $1::integer), coalesce(f.position, '0'), coalesce(f.ordinal, 0)) order by events.epoch, events.position, events.ordinal limit 1) oldest
    where oldest.created_at < to_timestamp(($2::bigint + e.clock_offset_ms) / 1000.0 - e.event_retention_days * 86400);

-- packages/server/src/platform/journal/retention.ts: moveFloor
insert into journal_floors (tenant_id, epoch, position, ordinal)
      values ($1, $2, $3::text::xid8, $4) returning 1;

-- packages/server/src/platform/journal/retention.ts: moveFloor
update journal_floors set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and (epoch, position, ordinal) = ($5::integer, $6::text::xid8, $7::integer) returning 1;

-- packages/server/src/platform/journal/retention.ts: nextEvents
select epoch, position, ordinal, created_at from events
    where tenant_id = $1 and (events.epoch, events.position, events.ordinal) <= ($2::integer, $3::text::xid8, $4::integer) order by events.epoch, events.position, events.ordinal limit $5;

-- packages/server/src/platform/journal/retention.ts: thinEvents
update events set object = (
      select ('{' || coalesce(string_agg('"' || field.key || '":' || field.value::text, ','), '') || '}')::json
      from json_each(events.object) field
      where field.key in (select json_object_keys(events.previous))
        or field.key = any(string_to_array(split_part(events.audited, ' ', 2), ','))), related = null
    where tenant_id = $1 and (events.epoch, events.position, events.ordinal) <= ($2::integer, $3::text::xid8, $4::integer);

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((case when conversations.sla is null then null when $4::text in (case when (conversations.sla -> $5::text) ->> 'target' is null then null
    when ((conversations.sla -> $6::text) ->> 'breached_at' is not null or ((conversations.sla -> $7::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $8::text) ->> 'due_at')::float8 <= extract(epoch from $9::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $10::text) ->> 'phase' end, case when (conversations.sla -> $11::text) ->> 'target' is null then null
    when ((conversations.sla -> $12::text) ->> 'breached_at' is not null or ((conversations.sla -> $13::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $14::text) ->> 'due_at')::float8 <= extract(epoch from $15::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $16::text) ->> 'phase' end, case when (conversations.sla -> $17::text) ->> 'target' is null then null
    when ((conversations.sla -> $18::text) ->> 'breached_at' is not null or ((conversations.sla -> $19::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $20::text) ->> 'due_at')::float8 <= extract(epoch from $21::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $22::text) ->> 'phase' end) then $23::text when $24::text in (case when (conversations.sla -> $25::text) ->> 'target' is null then null
    when ((conversations.sla -> $26::text) ->> 'breached_at' is not null or ((conversations.sla -> $27::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $28::text) ->> 'due_at')::float8 <= extract(epoch from $29::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $30::text) ->> 'phase' end, case when (conversations.sla -> $31::text) ->> 'target' is null then null
    when ((conversations.sla -> $32::text) ->> 'breached_at' is not null or ((conversations.sla -> $33::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $34::text) ->> 'due_at')::float8 <= extract(epoch from $35::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $36::text) ->> 'phase' end, case when (conversations.sla -> $37::text) ->> 'target' is null then null
    when ((conversations.sla -> $38::text) ->> 'breached_at' is not null or ((conversations.sla -> $39::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $40::text) ->> 'due_at')::float8 <= extract(epoch from $41::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $42::text) ->> 'phase' end) then $43::text when $44::text in (case when (conversations.sla -> $45::text) ->> 'target' is null then null
    when ((conversations.sla -> $46::text) ->> 'breached_at' is not null or ((conversations.sla -> $47::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $48::text) ->> 'due_at')::float8 <= extract(epoch from $49::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $50::text) ->> 'phase' end, case when (conversations.sla -> $51::text) ->> 'target' is null then null
    when ((conversations.sla -> $52::text) ->> 'breached_at' is not null or ((conversations.sla -> $53::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $54::text) ->> 'due_at')::float8 <= extract(epoch from $55::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $56::text) ->> 'phase' end, case when (conversations.sla -> $57::text) ->> 'target' is null then null
    when ((conversations.sla -> $58::text) ->> 'breached_at' is not null or ((conversations.sla -> $59::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $60::text) ->> 'due_at')::float8 <= extract(epoch from $61::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $62::text) ->> 'phase' end) then $63::text when $64::text in (case when (conversations.sla -> $65::text) ->> 'target' is null then null
    when ((conversations.sla -> $66::text) ->> 'breached_at' is not null or ((conversations.sla -> $67::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $68::text) ->> 'due_at')::float8 <= extract(epoch from $69::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $70::text) ->> 'phase' end, case when (conversations.sla -> $71::text) ->> 'target' is null then null
    when ((conversations.sla -> $72::text) ->> 'breached_at' is not null or ((conversations.sla -> $73::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $74::text) ->> 'due_at')::float8 <= extract(epoch from $75::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $76::text) ->> 'phase' end, case when (conversations.sla -> $77::text) ->> 'target' is null then null
    when ((conversations.sla -> $78::text) ->> 'breached_at' is not null or ((conversations.sla -> $79::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $80::text) ->> 'due_at')::float8 <= extract(epoch from $81::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $82::text) ->> 'phase' end) then $83::text when $84::text in (case when (conversations.sla -> $85::text) ->> 'target' is null then null
    when ((conversations.sla -> $86::text) ->> 'breached_at' is not null or ((conversations.sla -> $87::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $88::text) ->> 'due_at')::float8 <= extract(epoch from $89::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $90::text) ->> 'phase' end, case when (conversations.sla -> $91::text) ->> 'target' is null then null
    when ((conversations.sla -> $92::text) ->> 'breached_at' is not null or ((conversations.sla -> $93::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $94::text) ->> 'due_at')::float8 <= extract(epoch from $95::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $96::text) ->> 'phase' end, case when (conversations.sla -> $97::text) ->> 'target' is null then null
    when ((conversations.sla -> $98::text) ->> 'breached_at' is not null or ((conversations.sla -> $99::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $100::text) ->> 'due_at')::float8 <= extract(epoch from $101::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $102::text) ->> 'phase' end) then $103::text end) is not null, false)) from conversations where conversations.tenant_id = $104 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $105) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((exists (select 1 from (select (select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = $4 and stored.id = conversations.end_user_id) as id) person cross join lateral (
      select * from end_users own where own.tenant_id = $5 and own.id = person.id
      union all select * from end_users alias where alias.tenant_id = $6 and alias.merged_into_id = person.id) one
    where one.external_id is not null)
      or (conversations.end_user_id is null and conversations.external_user_id is not null)), false)) from conversations where conversations.tenant_id = $7 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $8) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((select person.verified_at is not null from end_users person where person.tenant_id = $4 and person.id = (select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = $5 and stored.id = conversations.end_user_id)) is not null, false)) from conversations where conversations.tenant_id = $6 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(conversations.message_count::float8 is not null, false)) from conversations where conversations.tenant_id = $4 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(conversations.reopened_count::float8 is not null, false)) from conversations where conversations.tenant_id = $4 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(conversations.status is not null, false)) from conversations where conversations.tenant_id = $4 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(exists (select 1 from (select (select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = $4 and stored.id = conversations.end_user_id) as id) person cross join lateral (
      select * from end_users own where own.tenant_id = $5 and own.id = person.id
      union all select * from end_users alias where alias.tenant_id = $6 and alias.merged_into_id = person.id) one
    where one.id is not null), false)) from conversations where conversations.tenant_id = $7 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $8) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(exists (select 1 from unnest(conversations.tag_ids) used (id)
      join tags stored on stored.tenant_id = $4 and stored.id = used.id
      join tags tag on tag.tenant_id = $5 and (tag.id = coalesce(stored.merged_into_id, stored.id)
        or tag.merged_into_id = coalesce(stored.merged_into_id, stored.id))
      where tag.name_key is not null), false)) from conversations where conversations.tenant_id = $6 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(least(case when case when (conversations.sla -> $4::text) ->> 'target' is null then null
    when ((conversations.sla -> $5::text) ->> 'breached_at' is not null or ((conversations.sla -> $6::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $7::text) ->> 'due_at')::float8 <= extract(epoch from $8::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $9::text) ->> 'phase' end = 'running' then to_timestamp(((conversations.sla -> $10::text) ->> 'due_at')::float8 / 1000) end, case when case when (conversations.sla -> $11::text) ->> 'target' is null then null
    when ((conversations.sla -> $12::text) ->> 'breached_at' is not null or ((conversations.sla -> $13::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $14::text) ->> 'due_at')::float8 <= extract(epoch from $15::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $16::text) ->> 'phase' end = 'running' then to_timestamp(((conversations.sla -> $17::text) ->> 'due_at')::float8 / 1000) end, case when case when (conversations.sla -> $18::text) ->> 'target' is null then null
    when ((conversations.sla -> $19::text) ->> 'breached_at' is not null or ((conversations.sla -> $20::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $21::text) ->> 'due_at')::float8 <= extract(epoch from $22::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $23::text) ->> 'phase' end = 'running' then to_timestamp(((conversations.sla -> $24::text) ->> 'due_at')::float8 / 1000) end) is not null, false)) from conversations where conversations.tenant_id = $25 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $26) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(starts_with(conversations.subject, $4::text), false)) from conversations where conversations.tenant_id = $5 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $6) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(strpos(lower(translate(conversations.subject, 'Σςİ', 'σσi')), lower(translate($4::text, 'Σςİ', 'σσi'))) > 0, false)) from conversations where conversations.tenant_id = $5 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $6) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (not coalesce(((conversations.custom_values ->> $4::text) || 'T00:00:00Z')::timestamptz = $5::timestamptz, false)) from conversations where conversations.tenant_id = $6 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from unnest($1::uuid[]) candidate (candidate_id) join conversations on conversations.id = candidate_id where conversations.tenant_id = $2 order by id desc limit $3),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then (
      select (coalesce(conversations.company_id = $5::uuid, false)) from conversations where conversations.tenant_id = $6 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from unnest($1::uuid[]) candidate (candidate_id) join conversations on conversations.id = candidate_id where conversations.tenant_id = $2 order by id desc limit $3),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then (
      select (coalesce(exists (select 1 from companies where companies.tenant_id = $5
        and companies.id = conversations.company_id and (companies.custom_values ->> $6::text) = $7::text), false)) from conversations where conversations.tenant_id = $8 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $9) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from unnest($1::uuid[]) candidate (candidate_id) join conversations on conversations.id = candidate_id where conversations.tenant_id = $2 order by id desc limit $3),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then (
      select (coalesce(exists (select 1 from end_users person where person.tenant_id = $5
    and person.id = (select coalesce(stored.merged_into_id, stored.id) from end_users stored
    where stored.tenant_id = $6 and stored.id = conversations.end_user_id) and (person.custom_values ->> $7::text) = $8::text), false)) from conversations where conversations.tenant_id = $9 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $10) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from unnest($1::uuid[]) candidate (candidate_id) join conversations on conversations.id = candidate_id where conversations.tenant_id = $2 order by id desc limit $3),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then (
      select (coalesce(exists (select 1 from jsonb_array_elements_text(conversations.custom_values -> $5::text) option (value) where option.value = $6::text), false)) from conversations where conversations.tenant_id = $7 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $8) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select ((coalesce(case when end_users.erased_at is not null then 'erased'
      when end_users.merged_into_id is not null then 'merged' when end_users.blocked_at is not null then 'blocked' else 'active' end is not null, false))) from end_users where end_users.tenant_id = $4 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (coalesce((coalesce(end_users.external_id is not null, false) or exists (
      select 1 from end_users alias where alias.tenant_id = $4 and alias.merged_into_id = end_users.id
        and alias.external_id is not null)), false))) from end_users where end_users.tenant_id = $5 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $6) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (coalesce((end_users.verified_at is not null) is not null, false))) from end_users where end_users.tenant_id = $4 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (coalesce(exists (select 1 from end_user_addresses known where known.tenant_id = $4
    and known.kind = $5 and known.end_user_id = end_users.id and known.address is not null), false))) from end_users where end_users.tenant_id = $6 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (coalesce(exists (select 1 from unnest(end_users.company_ids) company (id) where company.id is not null), false))) from end_users where end_users.tenant_id = $4 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $5) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from end_users where end_users.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (not coalesce((end_users.custom_values ->> $4::text) = $5::text, false))) from end_users where end_users.tenant_id = $6 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $7) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: checked
with next as materialized (select end_users.id, row_number() over (order by id desc) as place from unnest($1::uuid[]) candidate (candidate_id) join end_users on end_users.id = candidate_id where end_users.tenant_id = $2 order by id desc limit $3),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then (
      select (coalesce((merged_into_id is null and erased_at is null), false) and (coalesce(exists (select 1 from unnest(end_users.company_ids) of_company (id)
        join companies on companies.tenant_id = $5 and companies.id = of_company.id
        where (companies.custom_values ->> $6::text) = $7::text), false))) from end_users where end_users.tenant_id = $8 and end_users.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = $9) order by place desc limit 1) as last;

-- packages/server/src/platform/lists/page.ts: countFirst
with met as materialized (
        select 1 from (select * from conversations where conversations.tenant_id = $1 and status = any($2::text[]) and assignee_id is null limit $3) conversations where case when clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then ((coalesce(conversations.status = any($5::text[]), false) and not coalesce(conversations.assignee_id is not null, false)) and coalesce(conversations.created_at between $6::timestamptz and $7::timestamptz, false)) end limit $8),
      counted as materialized (select count(*) as met from met)
      select met, met <= $9 and clock_timestamp() - statement_timestamp() < $10 * interval '1 millisecond' and (select count(*) from (select 1 from conversations where conversations.tenant_id = $11 and status = any($12::text[]) and assignee_id is null limit $13) each) < $14 as is_whole
      from counted;

-- packages/server/src/platform/lists/page.ts: countFirst
with met as materialized (
        select 1 from (select * from conversations where conversations.tenant_id = $1 and status = any($2::text[]) and assignee_id is null limit $3) conversations where case when clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then ((coalesce(conversations.status = any($5::text[]), false) and not coalesce(conversations.assignee_id is not null, false)) and coalesce(conversations.status = any($6::text[]), false)) end limit $7),
      counted as materialized (select count(*) as met from met)
      select met, met <= $8 and clock_timestamp() - statement_timestamp() < $9 * interval '1 millisecond' and (select count(*) from (select 1 from conversations where conversations.tenant_id = $10 and status = any($11::text[]) and assignee_id is null limit $12) each) < $13 as is_whole
      from counted;

-- packages/server/src/platform/lists/page.ts: countFirst
with met as materialized (
        select 1 from (select * from conversations where conversations.tenant_id = $1 and status = any($2::text[]) and assignee_id is null limit $3) conversations where case when clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then ((coalesce(conversations.status = any($5::text[]), false) and not coalesce(conversations.assignee_id is not null, false)) and coalesce(exists (select 1 from followers following where following.tenant_id = $6
    and following.conversation_id = conversations.id and following.removed_at is null
    and following.operator_id::text = $7::text), false)) end limit $8),
      counted as materialized (select count(*) as met from met)
      select met, met <= $9 and clock_timestamp() - statement_timestamp() < $10 * interval '1 millisecond' and (select count(*) from (select 1 from conversations where conversations.tenant_id = $11 and status = any($12::text[]) and assignee_id is null limit $13) each) < $14 as is_whole
      from counted;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select id from conversations where tenant_id = $1 and company_id in (select subject_id as id from custom_field_values
      where tenant_id = $2 and field_id = $3 and (value = any($4::text[])))) candidate limit $5) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select id from end_users where tenant_id = $1 and (id < $2::uuid)) candidate limit $3) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select id from end_users where tenant_id = $1 and (id >= $2::uuid and id < $3::uuid)) candidate limit $4) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select member.end_user_id as id from company_members member where member.tenant_id = $1 and member.company_id in (select subject_id as id from custom_field_values
      where tenant_id = $2 and field_id = $3 and (value = any($4::text[])))) candidate limit $5) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select subject_id as id from custom_field_values
      where tenant_id = $1 and field_id = $2 and (true)) candidate limit $3) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select subject_id as id from custom_field_values
      where tenant_id = $1 and field_id = $2 and (value = any($3::text[]))) candidate limit $4) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select subject_id as id from custom_field_values
      where tenant_id = $1 and field_id = $2 and (value >= $3 and value < $4)) candidate limit $5) few;

-- packages/server/src/platform/lists/page.ts: fewestCandidates
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select subject_id as id from custom_field_values
      where tenant_id = $1 and field_id = $2 and (value >= $3 and value <= $4)) candidate limit $5) few;

-- packages/server/src/platform/lists/page.ts: someInOrder
with next as materialized (select conversations.id, row_number() over (order by id desc) as place from conversations where conversations.tenant_id = $1 order by id desc limit $2),
    tried as materialized (select id, place, case when place = 1 or clock_timestamp() - statement_timestamp() < $3 * interval '1 millisecond' then (
      select (coalesce(conversations.status is not null, false)) from conversations where conversations.tenant_id = $4 and conversations.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met),
        found as materialized (select conversations.*, place from met
          join conversations on conversations.tenant_id = $5 and conversations.id = met.id order by place limit $6),
        last as materialized (select conversations.*, place from checked
          join conversations on conversations.tenant_id = $7 and conversations.id = checked.id
          where (select count(*) from found) < $8 and (place = $9 or is_out_of_time) and is_met is not null
          order by place desc limit 1)
        select false as is_last, found.* from found union all select true, last.* from last order by is_last, place;

-- packages/server/src/platform/postgres/activity.ts: oldestWriteMs
select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::float8 as ms
      from pg_stat_activity where backend_xid is not null and datname = current_database();

-- packages/server/src/platform/postgres/broadcasts.ts: openBroadcasts
select pg_notify($1, payload) from unnest($2::text[]) payload;

-- packages/server/src/platform/postgres/cluster-probe.ts: onePlaceOfEach
select n.nodename as host, n.nodeport as port, n.groupid as "groupId", min(s.shardid) as "shardId"
    from pg_dist_node n left join pg_dist_placement p on p.groupid = n.groupid
    left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'journal_heads'::regclass
    where n.noderole = 'primary' and n.groupid <> 0 group by n.groupid, n.nodename, n.nodeport order by n.groupid;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from categories where categories.tenant_id = $1 and not archived and parent_id is null limit $2) found;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from companies where companies.tenant_id = $1 and not archived and companies.external_id = $2 limit $3) found;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from companies where companies.tenant_id = $1 and not archived and companies.search @@ $2::tsquery limit $3) found;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from faqs where faqs.tenant_id = $1 limit $2) found;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from jobs where jobs.tenant_id = $1 and jobs.status = any($2::text[]) limit $3) found;

-- packages/server/src/platform/postgres/count.ts: countUpTo
select count(*) from (select 1 from jobs where jobs.tenant_id = $1 and jobs.type = any($2::text[]) limit $3) found;

-- packages/server/src/platform/postgres/leases.ts: isLeased
select 1 from leases where tenant_id = $1 and work = $2 and leased_until > $3;

-- packages/server/src/platform/postgres/leases.ts: leaseTo
insert into leases (tenant_id, work, holder, leased_until)
    values ($1, $2, $3, $4)
    on conflict (tenant_id, work) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where leases.holder = $5 or leases.leased_until <= $6
    returning 1;

-- packages/server/src/platform/postgres/leases.ts: leaseTo
with g0 as (insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      values ($1, $2, $3, $4::text::xid8, $5) returning 1), g1 as (insert into leases (tenant_id, work, holder, leased_until)
    values ($6, $7, $8, $9)
    on conflict (tenant_id, work) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where leases.holder = $10 or leases.leased_until <= $11
    returning 1) select 1 / ((select count(*) from g0) = $12::bigint)::integer / ((select count(*) from g1) = $13::bigint)::integer;

-- packages/server/src/platform/postgres/leases.ts: returnLease
delete from leases where tenant_id = $1 and work = $2 and holder = $3;

-- packages/server/src/platform/postgres/secrets.ts: deleteInstallationSecret
delete from installation_secrets where name = $1;

-- packages/server/src/platform/postgres/secrets.ts: findInstallationSecret
select value from installation_secrets where name = $1;

-- packages/server/src/platform/postgres/secrets.ts: installationSecret
insert into installation_secrets (name, value) values ($1, $2)
    on conflict (name) do nothing;

-- packages/server/src/platform/postgres/secrets.ts: replaceInstallationSecrets
insert into installation_secrets (name, value)
    values ($1, $2), ($3, $4)
    on conflict (name) do update set value = excluded.value;

-- packages/server/src/platform/postgres/secrets.ts: replaceSealed
update webhook_endpoints set secret_sealed = $1
    where tenant_id = $2 and id = $3 and secret_sealed = $4;

-- packages/server/src/platform/postgres/secrets.ts: sealedRows
select t.tenant_id, t.id, t.secret_sealed
    from journal_heads h join webhook_endpoints t on t.tenant_id = h.tenant_id 
    order by t.tenant_id, t.id limit 1;

-- packages/server/src/platform/postgres/secrets.ts: sealedRows
select t.tenant_id, t.id, t.secret_sealed
    from journal_heads h join webhook_endpoints t on t.tenant_id = h.tenant_id where (t.tenant_id, t.id) > ($1::uuid, $2::uuid)
    order by t.tenant_id, t.id limit 1;

-- packages/server/src/platform/postgres/server-facts.ts: findDatabaseFacts
select current_setting('server_version') as version,
    current_setting('server_version_num')::integer as "versionNumber", current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as "isStandby", current_user as user, current_database() as database,
    current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables";

-- packages/server/src/platform/postgres/server-facts.ts: readClock
select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms;

-- packages/server/src/platform/postgres/workers.ts: findPlace
select n.nodename as host, n.nodeport as port, p.groupid as "groupId", p.shardid as "shardId"
    from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where p.shardid = get_shard_id_for_distribution_column('journal_heads', $1::uuid);

-- packages/server/src/platform/postgres/workers.ts: findTables
select c.relname as table, c.relname || '_' || s.shardid as name, p.repmodel = 't' as "isCopied"
    from pg_dist_shard s join pg_dist_partition p on p.logicalrelid = s.logicalrelid
    join pg_class c on c.oid = s.logicalrelid
    join pg_dist_shard heads on heads.shardid = $1
    join pg_dist_partition all_heads on all_heads.logicalrelid = heads.logicalrelid
    where p.repmodel = 't' or (p.colocationid = all_heads.colocationid and s.shardminvalue = heads.shardminvalue);

-- packages/server/src/platform/postgres/workers.ts: findWorkers
select nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and groupid <> 0 and shouldhaveshards order by groupid;

-- packages/server/src/platform/postgres/workers.ts: isDistributed
select 1 from pg_dist_partition where partmethod = 'h' limit 1;

-- packages/server/src/platform/postgres/workers.ts: isDistributed
select to_regclass('pg_dist_partition') is not null as "isCitus";

-- packages/server/src/platform/search/search-index.ts: indexDocument
with g0 as (update faqs set question = $1, answer = $2, answer_html = $3, locale = $4, category_id = $5, kb_article_id = $6, position = $7, status = $8, archived = $9, updated_at = $10, version = $11, locale_key = $12, tag_ids = $13 where tenant_id = $14 and id = $15 and version = $16 returning 1), w0 as (insert into search_documents (tenant_id, kind, id, family_id, locale_key, collection_id, head, tokens, text)
    values ($17, $18, $19, $20, $21, $22, $23::tsvector,
      array_to_tsvector($24::text[]), $25)
    on conflict (tenant_id, kind, id) do update set family_id = excluded.family_id, locale_key = excluded.locale_key,
      collection_id = excluded.collection_id, head = excluded.head, tokens = excluded.tokens, text = excluded.text returning 1), w1 as (insert into search_words (tenant_id, word, trigrams)
    select $26::uuid, word, array_to_tsvector(string_to_array(trigrams, ' '))
    from unnest($27::text[], $28::text[]) as v (word, trigrams)
    order by word on conflict (tenant_id, word) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $29::bigint) + $30::bigint
    where tenant_id = $31 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $32::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($33::uuid, $34::text, $35::timestamptz, $36::uuid, $37::text, $38::uuid, $39::integer, $40::text, $41::text, $42::text, $43::text, $44::text, $45::text, $46::text, $47::json, $48::json, $49::json, $50::text, $51::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $52::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $53::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/search/search-index.ts: indexDocument
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update kb_articles set collection_id = $14, slug = $15, locale = $16, title = $17, body = $18, body_html = $19, excerpt = $20, author_id = $21, metadata = $22, translation_of_id = $23, status = $24, published = $25, published_body = $26, published_body_html = $27, published_version = $28, published_at = $29, has_unpublished_changes = $30, last_version = $31, publish_at = $32, publish_by = $33, former_slugs = $34, updated_at = $35, version = $36, locale_key = $37, tag_ids = $38, family_id = $39, published_collection_id = $40, published_locale_key = $41, published_author_id = $42, published_tag_ids = $43 where tenant_id = $44 and id = $45 and version = $46 returning 1), w0 as (insert into kb_article_versions (tenant_id, article_id, version, title, body, excerpt, published_at, published_by)
    values ($47, $48, $49, $50, $51, $52, $53,
      $54) returning 1), w1 as (insert into search_documents (tenant_id, kind, id, family_id, locale_key, collection_id, head, tokens, text)
    values ($55, $56, $57, $58, $59, $60, $61::tsvector,
      array_to_tsvector($62::text[]), $63)
    on conflict (tenant_id, kind, id) do update set family_id = excluded.family_id, locale_key = excluded.locale_key,
      collection_id = excluded.collection_id, head = excluded.head, tokens = excluded.tokens, text = excluded.text returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $64::bigint) + $65::bigint
    where tenant_id = $66 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $67::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($68::uuid, $69::text, $70::timestamptz, $71::uuid, $72::text, $73::uuid, $74::integer, $75::text, $76::text, $77::text, $78::text, $79::text, $80::text, $81::text, $82::json, $83::json, $84::json, $85::text, $86::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $87::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $88::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/search/search-index.ts: indexDocument
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update kb_articles set collection_id = $14, slug = $15, locale = $16, title = $17, body = $18, body_html = $19, excerpt = $20, author_id = $21, metadata = $22, translation_of_id = $23, status = $24, published = $25, published_body = $26, published_body_html = $27, published_version = $28, published_at = $29, has_unpublished_changes = $30, last_version = $31, publish_at = $32, publish_by = $33, former_slugs = $34, updated_at = $35, version = $36, locale_key = $37, tag_ids = $38, family_id = $39, published_collection_id = $40, published_locale_key = $41, published_author_id = $42, published_tag_ids = $43 where tenant_id = $44 and id = $45 and version = $46 returning 1), w0 as (insert into kb_article_versions (tenant_id, article_id, version, title, body, excerpt, published_at, published_by)
    values ($47, $48, $49, $50, $51, $52, $53,
      $54) returning 1), w1 as (update kb_slugs set held = false from (values ($55::text, $56::text, $57::uuid)) as v (locale_key, slug_key, article_id) where kb_slugs.tenant_id = $58
    and kb_slugs.locale_key = v.locale_key and kb_slugs.slug_key = v.slug_key and kb_slugs.article_id = v.article_id returning 1), w2 as (insert into search_documents (tenant_id, kind, id, family_id, locale_key, collection_id, head, tokens, text)
    values ($59, $60, $61, $62, $63, $64, $65::tsvector,
      array_to_tsvector($66::text[]), $67)
    on conflict (tenant_id, kind, id) do update set family_id = excluded.family_id, locale_key = excluded.locale_key,
      collection_id = excluded.collection_id, head = excluded.head, tokens = excluded.tokens, text = excluded.text returning 1), w3 as (insert into search_words (tenant_id, word, trigrams)
    select $68::uuid, word, array_to_tsvector(string_to_array(trigrams, ' '))
    from unnest($69::text[], $70::text[]) as v (word, trigrams)
    order by word on conflict (tenant_id, word) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $71::bigint) + $72::bigint
    where tenant_id = $73 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $74::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($75::uuid, $76::text, $77::timestamptz, $78::uuid, $79::text, $80::uuid, $81::integer, $82::text, $83::text, $84::text, $85::text, $86::text, $87::text, $88::text, $89::json, $90::json, $91::json, $92::text, $93::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $94::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from head) = $95::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/search/search.ts: everything
select count(*) from (select 1 from (select distinct on (family_id) id, round(10000 * power(0.9, array_position($1::text[], locale_key) - 1))::integer as score from search_documents
    where tenant_id = $2 and kind = any($3::text[]) and locale_key = any($4::text[]) order by family_id, score desc, id desc) matches limit $5) found;

-- packages/server/src/platform/search/search.ts: everything
select count(*) from (select 1 from (select distinct on (id) id, round(10000 * 1)::integer as score from search_documents
    where tenant_id = $1 and kind = any($2::text[]) and collection_id = $3 order by id, score desc, id desc) matches limit $4) found;

-- packages/server/src/platform/search/search.ts: everything
select count(*) from (select 1 from (select distinct on (id) id, round(10000 * 1)::integer as score from search_documents
    where tenant_id = $1 and kind = any($2::text[]) order by id, score desc, id desc) matches limit $3) found;

-- packages/server/src/platform/search/search.ts: everything
select id, score from (select distinct on (id) id, round(10000 * 1)::integer as score from search_documents
    where tenant_id = $1 and kind = any($2::text[]) order by id, score desc, id desc) matches
      order by score desc, id desc limit $3;

-- packages/server/src/platform/search/search.ts: everything
select id, score from (select distinct on (id) id, round(10000 * 1)::integer as score from search_documents
    where tenant_id = $1 and kind = any($2::text[]) order by id, score desc, id desc) matches where (score, id) < ($3, $4)
      order by score desc, id desc limit $5;

-- packages/server/src/platform/search/search.ts: havingAll
select count(*) from (select 1 from (select distinct on (family) id, score from (
      with in_head as materialized (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $1 and kind = any($2::text[]) and tokens @@ $3::tsquery limit $4),
      anywhere as (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $5 and kind = any($6::text[]) and tokens @@ $7::tsquery and (select count(*) from in_head) < $8 limit $9)
      select id, family, round(10000 * nearness * least(1, 0.1 + $10::float8 * ts_rank('{0.1, 0.3, 0.6, 1}', head, (select $11::tsquery)) + 0.1 * (head @@ (select $12::tsquery))::integer))::integer as score
      from (table in_head union all table anywhere) found) ranked
    order by family, score desc, id desc) matches limit $13) found;

-- packages/server/src/platform/search/search.ts: havingAny
select count(*) from (select 1 from (select distinct on (family) id, score from (
      select hit.id, hit.family, least(10000, round(hit.nearness * sum(asked.weight)))::integer as score
      from unnest($1::text[], $2::integer[]) as asked (query, weight)
        cross join lateral (select id, id as family, 1 as nearness from search_documents
          where tenant_id = $3 and kind = any($4::text[]) and tokens @@ asked.query::tsquery limit $5) hit
      where asked.weight > 0
      group by hit.id, hit.family, hit.nearness) ranked
    order by family, score desc, id desc) matches limit $6) found;

-- packages/server/src/platform/search/search.ts: havingAny
select faqs.id, faqs.question, faqs.answer, faqs.answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count, found.score
    from (select distinct on (family) id, score from (
      select hit.id, hit.family, least(10000, round(hit.nearness * sum(asked.weight)))::integer as score
      from unnest($5::text[], $6::integer[]) as asked (query, weight)
        cross join lateral (select id, id as family, 1 as nearness from search_documents
          where tenant_id = $7 and kind = any($8::text[]) and exists (select 1 from faqs where faqs.tenant_id = $9 and faqs.id = search_documents.id
    and true and not archived) and tokens @@ asked.query::tsquery limit $10) hit
      where asked.weight > 0
      group by hit.id, hit.family, hit.nearness) ranked
    order by family, score desc, id desc) found join faqs on faqs.tenant_id = $11 and faqs.id = found.id
    
    order by found.score desc, found.id desc limit $12;

-- packages/server/src/platform/search/search.ts: weigh
with counted as materialized (select asked.*, (select count(*) from (select 1 from search_documents
      where tenant_id = $1 and kind = any($2::text[]) and tokens @@ asked.in_head_query::tsquery limit $3) hit) as in_head
        from unnest($4::text[], $5::text[]) with ordinality as asked (in_head_query, anywhere_query, place))
      select in_head, case when in_head < $6 then (select count(*) from (select 1 from search_documents
      where tenant_id = $7 and kind = any($8::text[]) and tokens @@ anywhere_query::tsquery limit $9) hit) else 0 end as anywhere
      from counted order by place;

-- packages/server/src/platform/search/search.ts: wordsMeantBy
select asked.place, known.word from unnest($1::text[]) with ordinality as asked (query, place)
      cross join lateral (select word from search_words where tenant_id = $2 and trigrams @@ asked.query::tsquery
        order by ts_rank(trigrams, asked.query::tsquery) desc, word limit $3) known where asked.query <> '';

-- packages/server/src/platform/tables/large-columns.ts: boundedOf
select macros.id, macros.name, macros.description, case when (coalesce(octet_length(macros.actions::text), 0)) <= 8192 then macros.actions end as actions, macros.department_ids, macros.position, macros.archived, macros.created_at, macros.updated_at, macros.version, case when (coalesce(octet_length(macros.actions::text), 0)) > 8192 then (coalesce(octet_length(macros.actions::text), 0)) end as large_bytes, 0 as usage_count, null::timestamptz as last_used_at from macros where macros.tenant_id = $1 and macros.id = $2;

-- packages/server/src/platform/tables/table.ts: defineTable
delete from tags where tenant_id = $1 and (id, version) in (($2::uuid, $3::integer), ($4::uuid, $5::integer)) returning 1;

-- packages/server/src/platform/tables/table.ts: defineTable
select 1 from pg_dist_placement where shardid = $1 and groupid = $2;

-- packages/server/src/platform/tables/table.ts: defineTable
select 1 from tags where tenant_id = $1 and (id, version) in (($2::uuid, $3::integer), ($4::uuid, $5::integer)) for share;

-- packages/server/src/platform/tables/table.ts: defineTable
select operators.id, operators.version, operators.status, operators.status_reason, operators.status_since, operators.status_until, operators.status_then, operators.open_conversations, operators.capacity from operators where operators.tenant_id = $1 and not archived order by id limit 10;

-- packages/server/src/platform/tables/table.ts: defineTable
select views.id, views.name, views.description, views.applies_to, views.filter, views.sort, views.columns, views.operator_ids, views.department_ids, views.position, views.archived, views.created_at, views.updated_at, views.version from views where views.tenant_id = $1 and not archived and true and (name_key, id) > ($2, $3) order by name_key, id limit 10;

-- packages/server/src/platform/tables/table.ts: defineTable
select views.id, views.name, views.description, views.applies_to, views.filter, views.sort, views.columns, views.operator_ids, views.department_ids, views.position, views.archived, views.created_at, views.updated_at, views.version from views where views.tenant_id = $1 and not archived and true order by name_key, id limit 10;

-- packages/server/src/platform/tables/table.ts: defineTable
with g0 as (update api_keys set secret_hint = $1, rotated_at = $2, revoked_at = $3, updated_at = $4, version = $5 where tenant_id = $6 and id = $7 and version = $8 returning 1) select 1 / ((select count(*) from g0) = $9::bigint)::integer;

-- packages/server/src/platform/tables/table.ts: whole
insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, array_to_tsvector($13::text[]), $14);

-- packages/server/src/platform/tables/within-page.ts: withinPage
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, object::text, previous::text, related::text, found from (
      select events.*, count(*) over () as found, coalesce(sum((octet_length(object::text) + octet_length(previous::text) + coalesce(octet_length(related::text), 0)))
        over (order by events.epoch, events.position, events.ordinal rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (select * from (select * from events where tenant_id = $1 and stream_id = $2 and (events.epoch, events.position, events.ordinal) > ($3::integer, $4::text::xid8, $5::integer) and (events.epoch, events.position, events.ordinal) <= ($6::integer, $7::text::xid8, $8::integer) order by events.epoch, events.position, events.ordinal limit $9) events
      where true order by events.epoch, events.position, events.ordinal limit $10) events) events
    where bytes_before < $11 order by events.epoch, events.position, events.ordinal;

-- packages/server/src/platform/tables/within-page.ts: withinPage
select version, body, written_at, replaced_at, found from (
      select revisions.*, count(*) over () as found, coalesce(sum(octet_length(body))
        over (order by version rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (select * from message_revisions where tenant_id = $1 and message_id = $2
    and version > $3 order by version limit $4) revisions) revisions
    where bytes_before < $5 order by version;

-- packages/server/src/platform/tables/within-page.ts: withinPage
select version, title, body, excerpt, published_at, published_by, found from (
      select versions.*, count(*) over () as found, coalesce(sum(octet_length(body))
        over (order by version desc rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (select * from kb_article_versions where tenant_id = $1 and article_id = $2
    and version < $3 order by version desc limit $4) versions) versions
    where bytes_before < $5 order by version desc;

-- packages/server/src/platform/trees/trees.ts: heightOf
with recursive below (id, level) as (
      select id, 1 from categories where tenant_id = $1 and id = $2
      union all
      select t.id, below.level + 1 from categories t join below on t.parent_id = below.id
        where t.tenant_id = $3 and below.level < $4)
    select coalesce(max(level), 1) as height from below;

-- packages/server/src/platform/trees/trees.ts: pathIn
select categories.id, categories.parent_id, categories.name, categories.position, categories.default_department_id, categories.default_priority, categories.description, categories.archived, categories.created_at, categories.updated_at, categories.version, categories.public, array(with recursive above (name, parent_id, level) as (
      select categories.name, categories.parent_id, 1
      union all
      select t.name, t.parent_id, above.level + 1 from categories t join above on t.id = above.parent_id
        where t.tenant_id = $1 and above.level < $2)
    select name from above order by level desc) as path from categories where categories.tenant_id = $3 order by id limit 201;

-- packages/server/src/platform/trees/trees.ts: raiseTree
with g0 as (update kb_collections set parent_id = $1, name = $2, slug = $3, position = $4, description = $5, archived = $6, updated_at = $7, version = $8, name_key = $9, slug_key = $10 where tenant_id = $11 and id = $12 and version = $13 returning 1), g1 as (insert into tree_versions (tenant_id, tree, version) values ($14, $15, $16) on conflict (tenant_id, tree) do update set version = excluded.version
    where tree_versions.version = excluded.version - 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $17::bigint) + $18::bigint
    where tenant_id = $19 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $20::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($21::uuid, $22::text, $23::timestamptz, $24::uuid, $25::text, $26::uuid, $27::integer, $28::text, $29::text, $30::text, $31::text, $32::text, $33::text, $34::text, $35::json, $36::json, $37::json, $38::text, $39::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $40::bigint)::integer / ((select count(*) from g1) = $41::bigint)::integer / ((select count(*) from head) = $42::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/trees/trees.ts: raiseTree
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update tags set name = $14, color = $15, description = $16, archived = $17, updated_at = $18, version = $19, merged_into_id = $20, name_key = $21 where tenant_id = $22 and id = $23 and version = $24 returning 1), g1 as (select 1 from tags where tenant_id = $25 and id = $26 and version = $27 for share), g2 as (insert into tree_versions (tenant_id, tree, version) values ($28, $29, $30) on conflict (tenant_id, tree) do update set version = excluded.version
    where tree_versions.version = excluded.version - 1 returning 1), w0 as (update tags set merged_into_id = $31 where tenant_id = $32 and merged_into_id = $33 returning 1), w1 as (insert into sla_generations (tenant_id, generation) values ($34, 1)
    on conflict (tenant_id) do update set generation = sla_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $35::bigint) + $36::bigint
    where tenant_id = $37 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $38::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($39::uuid, $40::text, $41::timestamptz, $42::uuid, $43::text, $44::uuid, $45::integer, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::text, $53::json, $54::json, $55::json, $56::text, $57::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $58::bigint)::integer / ((select count(*) from g1) = $59::bigint)::integer / ((select count(*) from g2) = $60::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $61::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/trees/trees.ts: treeVersion
select version from tree_versions where tenant_id = $1 and tree = $2;

-- packages/server/src/platform/trees/trees.ts: whyNotBelow
with recursive above (id, parent_id, level) as (
      select id, parent_id, 1 from categories where tenant_id = $1 and id = $2
      union all
      select t.id, t.parent_id, above.level + 1 from categories t join above on t.id = above.parent_id
        where t.tenant_id = $3 and above.level < $4)
    select id from above;

-- packages/server/src/platform/unit-of-work/due.ts: backOff
update due_work set attempts = attempts + 1,
      retry_at = ($1::timestamptz at time zone 'UTC' + make_interval(secs => least(600, 2 ^ least(attempts, 10)))) at time zone 'UTC'
    where tenant_id = $2 and duty = $3 and subject_id = $4 and due_at = $5;

-- packages/server/src/platform/unit-of-work/due.ts: completeDue
with g0 as (delete from due_work using unnest($1::text[], $2::uuid[], $3::integer[]) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1) select 1 / ((select count(*) from g0) = $5::bigint)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: dueRows
select duty as job, subject_id as "subjectId", due_at as "dueAt", appointment from due_work
    where tenant_id = $1 and due_at <= $2 and (retry_at is null or retry_at <= $3)
    order by due_at, duty, subject_id limit $4;

-- packages/server/src/platform/unit-of-work/due.ts: findDue
select duty as job, subject_id as "subjectId", due_at as "dueAt", appointment from due_work
    where tenant_id = $1 and duty = $2 and subject_id = $3 and due_at = $4;

-- packages/server/src/platform/unit-of-work/due.ts: insertDue
insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from (values ($2::text, $3::uuid, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id) do nothing returning 1;

-- packages/server/src/platform/unit-of-work/due.ts: lockDue
with f0 as (select 1 from (select 1 from due_work, (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked) select 1 / ((select count(*) from f0) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: nextDueTimes
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs", d.due_at as "nextDueAt"
      from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select due_at from due_work
        where due_work.tenant_id = h.tenant_id and (retry_at is null or retry_at <= $1)
        order by due_at limit 1) d
      where d.due_at <= to_timestamp(($2::bigint + e.clock_offset_ms) / 1000.0);

-- packages/server/src/platform/unit-of-work/due.ts: overdueJobs
select d.duty as job,
      max($1::bigint + e.clock_offset_ms - extract(epoch from d.due_at) * 1000)::float8 as ms
    from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select duty, due_at from due_work where due_work.tenant_id = h.tenant_id
        and (attempts > 0 or retry_at is null or retry_at <= $2)
      order by due_at, duty, subject_id limit $3) d
    where d.due_at <= to_timestamp(($4::bigint + e.clock_offset_ms) / 1000.0) group by d.duty;

-- packages/server/src/platform/unit-of-work/due.ts: postponeDue
with g0 as (delete from due_work using unnest($1::text[], $2::uuid[], $3::integer[]) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update conversations set subject = v.subject, priority = v.priority, language = v.language, external_id = v.external_id, metadata = v.metadata, follow_up_of_id = v.follow_up_of_id, status = v.status, waiting_since = v.waiting_since, message_count = v.message_count, last_message_at = v.last_message_at, last_message_side = v.last_message_side, first_response_at = v.first_response_at, resolved_at = v.resolved_at, closed_at = v.closed_at, reopened_count = v.reopened_count, merged_into_id = v.merged_into_id, read_by_end_user = v.read_by_end_user, read_by_operator = v.read_by_operator, unread_by_end_user = v.unread_by_end_user, unread_by_operator = v.unread_by_operator, updated_at = v.updated_at, version = v.version, department_id = v.department_id, category_id = v.category_id, assignee_id = v.assignee_id, assignment_strategy = v.assignment_strategy, assignment_reason = v.assignment_reason, assigned_at = v.assigned_at, awaits_routing = v.awaits_routing, waiting_on = v.waiting_on, hold_reason_id = v.hold_reason_id, hold_note = v.hold_note, hold_since = v.hold_since, hold_until = v.hold_until, resumes_on_reply = v.resumes_on_reply, sla_config_id = v.sla_config_id, sla_config_version = v.sla_config_version, sla_follows = v.sla_follows, sla = v.sla, sla_due_at = v.sla_due_at, unanswered_since = v.unanswered_since, hold_pauses_sla = v.hold_pauses_sla, company_id = v.company_id, mailbox_id = v.mailbox_id, search = case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, tag_ids = array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[], participant_ids = array(select jsonb_array_elements_text(v.participant_ids::jsonb))::uuid[], custom_values = v.custom_values from unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::json[], $11::uuid[], $12::text[], $13::timestamptz[], $14::integer[], $15::timestamptz[], $16::text[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::integer[], $21::uuid[], $22::integer[], $23::integer[], $24::integer[], $25::integer[], $26::timestamptz[], $27::integer[], $28::uuid[], $29::uuid[], $30::uuid[], $31::text[], $32::text[], $33::timestamptz[], $34::boolean[], $35::text[], $36::uuid[], $37::text[], $38::timestamptz[], $39::timestamptz[], $40::boolean[], $41::uuid[], $42::integer[], $43::integer[], $44::json[], $45::timestamptz[], $46::timestamptz[], $47::boolean[], $48::uuid[], $49::uuid[], $50::text[], $51::text[], $52::text[], $53::json[]) as v (id, subject, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, participant_ids, custom_values)
      where conversations.tenant_id = $54 and conversations.id = v.id and conversations.version = v.version - 1 returning 1), g2 as (update due_work set due_at = v.next, appointment = v.appointment + 1, attempts = 0, retry_at = v.retry_at
    from (values ($55::text, $56::uuid, $57::integer, $58::timestamptz, $59::timestamptz)) as v (duty, subject_id, appointment, next, retry_at)
    where due_work.tenant_id = $60 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1) select 1 / ((select count(*) from g0) = $61::bigint)::integer / ((select count(*) from g1) = $62::bigint)::integer / ((select count(*) from g2) = $63::bigint)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: postponeDue
with g0 as (update due_work set due_at = v.next, appointment = v.appointment + 1, attempts = 0, retry_at = v.retry_at
    from (values ($1::text, $2::uuid, $3::integer, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, appointment, next, retry_at)
    where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1) select 1 / ((select count(*) from g0) = $7::bigint)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: postponeDue
with g0 as (update due_work set due_at = v.next, appointment = v.appointment + 1, attempts = 0, retry_at = v.retry_at
    from (values ($1::text, $2::uuid, $3::integer, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, appointment, next, retry_at)
    where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), w0 as (update custom_field_tasks set fence = $7::text::xid8
    where tenant_id = $8 and field_id = $9 returning 1) select 1 / ((select count(*) from g0) = $10::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: renewLease
update due_work set retry_at = $1
    where tenant_id = $2 and duty = $3 and subject_id = $4 and retry_at is not null;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from (values ($2::text, $3::uuid, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), g0 as (update departments set name = $6, description = $7, email = $8, default_sla_config_id = $9, assignment = $10, fallback_department_id = $11, archived = $12, metadata = $13, updated_at = $14, version = $15, public = $16, claim_order = $17, reply_assigns = $18, name_key = $19 where tenant_id = $20 and id = $21 and version = $22 returning 1), g1 as (update operators set name = $23, email = $24, external_id = $25, role = $26, capacity = $27, timezone = $28, archived = $29, metadata = $30, status = $31, status_reason = $32, status_since = $33, status_until = $34, status_then = $35, offline_by_hand = $36, updated_at = $37, version = $38, name_key = $39, email_key = $40 where tenant_id = $41 and id = $42 and version = $43 returning 1), w0 as (delete from department_members where tenant_id = $44 and (department_id, operator_id) in (($45::uuid, $46::uuid)) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $47::bigint) + $48::bigint
    where tenant_id = $49 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $50::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($51::uuid[], $52::text[], $53::timestamptz[], $54::uuid[], $55::text[], $56::uuid[], $57::integer[], $58::text[], $59::text[], $60::text[], $61::text[], $62::text[], $63::text[], $64::text[], $65::json[], $66::json[], $67::json[], $68::text[], $69::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $70::bigint)::integer / ((select count(*) from g1) = $71::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $72::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from (values ($2::text, $3::uuid, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), g0 as (update departments set name = $6, description = $7, email = $8, default_sla_config_id = $9, assignment = $10, fallback_department_id = $11, archived = $12, metadata = $13, updated_at = $14, version = $15, public = $16, claim_order = $17, reply_assigns = $18, name_key = $19 where tenant_id = $20 and id = $21 and version = $22 returning 1), g1 as (update operators set name = $23, email = $24, external_id = $25, role = $26, capacity = $27, timezone = $28, archived = $29, metadata = $30, status = $31, status_reason = $32, status_since = $33, status_until = $34, status_then = $35, offline_by_hand = $36, updated_at = $37, version = $38, name_key = $39, email_key = $40 where tenant_id = $41 and id = $42 and version = $43 returning 1), w0 as (insert into department_members (tenant_id, department_id, operator_id, turn, created_at) values ($44, $45, $46, 0, $47) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $48::bigint) + $49::bigint
    where tenant_id = $50 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $51::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($52::uuid[], $53::text[], $54::timestamptz[], $55::uuid[], $56::text[], $57::uuid[], $58::integer[], $59::text[], $60::text[], $61::text[], $62::text[], $63::text[], $64::text[], $65::text[], $66::json[], $67::json[], $68::json[], $69::text[], $70::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $71::bigint)::integer / ((select count(*) from g1) = $72::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $73::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from (values ($2::text, $3::uuid, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $6::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($7::text, $8::bytea, $9::text, $10::timestamptz, $11::integer, $12::text, $13::text, $14::text, $15::bytea, $16::uuid, $17::uuid, $18::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into webhook_recoveries (tenant_id, id, endpoint_id, since, epoch, position, ordinal, until_epoch, until_position, created_at)
    values ($19, $20, $21, $22, $23, $24::text::xid8, $25,
      $26, $27::text::xid8, $28) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (delete from due_work using unnest($4::text[], $5::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), f2 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $7::uuid, duty, subject_id, due_at, retry_at from (values ($8::text, $9::uuid, $10::timestamptz, $11::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), g0 as (delete from operators where tenant_id = $12 and id = $13 and version = $14 returning 1), w0 as (delete from operator_status_periods where tenant_id = $15 and operator_id = any($16::uuid[]) returning 1), w1 as (delete from console_sessions where tenant_id = $17 and operator_id = any($18::uuid[]) returning 1), w2 as (delete from notifications where tenant_id = $19 and operator_id = $20 returning 1), w3 as (delete from notification_preferences where tenant_id = $21 and id = $22 returning 1), w4 as (delete from followers where tenant_id = $23 and operator_id = $24 returning 1), w5 as (delete from read_states where tenant_id = $25 and operator_id = $26 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $27::bigint) + $28::bigint
    where tenant_id = $29 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $30::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($31::uuid, $32::text, $33::timestamptz, $34::uuid, $35::text, $36::uuid, $37::integer, $38::text, $39::text, $40::text, $41::text, $42::text, $43::text, $44::text, $45::json, $46::json, $47::json, $48::text, $49::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from f2) >= 0)::integer / ((select count(*) from g0) = $50::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from head) = $51::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $4::uuid, duty, subject_id, due_at, retry_at from (values ($5::text, $6::uuid, $7::timestamptz, $8::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: scheduleDue
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $4::uuid, duty, subject_id, due_at, retry_at from (values ($5::text, $6::uuid, $7::timestamptz, $8::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), f2 as (delete from due_work using (values ($9::text, $10::uuid)) as v (duty, subject_id) where due_work.tenant_id = $11 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), r0 as (update end_users set external_id = $12, name = $13, emails = $14, phones = $15, language = $16, timezone = $17, avatar_url = $18, company_ids = $19, metadata = $20, verified_at = $21, blocked_at = $22, blocked_until = $23, block_reason = $24, merged_into_id = $25, erased_at = $26, updated_at = $27, version = $28, legal_hold_reason = $29, legal_hold_since = $30, name_key = $31, search = array_to_tsvector($32::text[]), custom_values = $33 where tenant_id = $34 and id = $35 and version = $36 returning 1), g0 as (update jobs set status = $37, params = $38, state = $39, done = $40, total = $41, failed = $42, result = $43, error = $44, started_at = $45, ended_at = $46, expires_at = $47, updated_at = $48, version = $49, attempts = $50 where tenant_id = $51 and id = $52 and version = $53 returning 1), w0 as (insert into erasures (tenant_id, id, end_user_id, mode, counts, audit_head_before, audit_head_after, exports, completed_at, sha256, created_at, updated_at, version) values ($54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66) returning 1), w1 as (delete from former_participants where tenant_id = $67 and end_user_id = any($68::uuid[]) returning 1), w2 as (update jobs set params = '{}' where tenant_id = $69 and id = any($70::uuid[])
    and ended_at is not null returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($71, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $72::bigint) + $73::bigint
    where tenant_id = $74 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $75::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($76::uuid, $77::text, $78::timestamptz, $79::uuid, $80::text, $81::uuid, $82::integer, $83::text, $84::text, $85::text, $86::text, $87::text, $88::text, $89::text, $90::json, $91::json, $92::json, $93::text, $94::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from f2) >= 0)::integer / ((select count(*) from r0) = $95::bigint)::integer / ((select count(*) from g0) = $96::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from c0) = $97::bigint)::integer / ((select count(*) from head) = $98::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/due.ts: shiftDue
with w0 as (update due_work set due_at = (due_at at time zone 'UTC' + make_interval(secs => $1)) at time zone 'UTC', appointment = appointment + 1
    where tenant_id = $2 and duty = $3 returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (delete from due_work using unnest($4::text[], $5::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $7::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($8::text, $9::bytea, $10::text, $11::timestamptz, $12::integer, $13::text, $14::text, $15::text, $16::bytea, $17::uuid, $18::uuid, $19::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $20, priority = $21, language = $22, external_id = $23, metadata = $24, follow_up_of_id = $25, status = $26, waiting_since = $27, message_count = $28, last_message_at = $29, last_message_side = $30, first_response_at = $31, resolved_at = $32, closed_at = $33, reopened_count = $34, merged_into_id = $35, read_by_end_user = $36, read_by_operator = $37, unread_by_end_user = $38, unread_by_operator = $39, updated_at = $40, version = $41, department_id = $42, category_id = $43, assignee_id = $44, assignment_strategy = $45, assignment_reason = $46, assigned_at = $47, awaits_routing = $48, waiting_on = $49, hold_reason_id = $50, hold_note = $51, hold_since = $52, hold_until = $53, resumes_on_reply = $54, sla_config_id = $55, sla_config_version = $56, sla_follows = $57, sla = $58, sla_due_at = $59, unanswered_since = $60, hold_pauses_sla = $61, company_id = $62, mailbox_id = $63, search = array_to_tsvector($64::text[]), tag_ids = $65, participant_ids = $66, custom_values = $67 where tenant_id = $68 and id = $69 and version = $70 returning 1), g1 as (delete from scheduled_messages where tenant_id = $71 and (id, version) in (($72::uuid, $73::integer), ($74::uuid, $75::integer)) returning 1), w0 as (insert into unsent_messages (tenant_id, id, conversation_id)
    select $76::uuid, id, conversation_id from unnest($77::uuid[], $78::uuid[]) as v (id, conversation_id) returning 1), w1 as (delete from message_external_ids where tenant_id = $79 and external_id = any($80::text[]) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $81::bigint) + $82::bigint
    where tenant_id = $83 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $84::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($85::uuid[], $86::text[], $87::timestamptz[], $88::uuid[], $89::text[], $90::uuid[], $91::integer[], $92::text[], $93::text[], $94::text[], $95::text[], $96::text[], $97::text[], $98::text[], $99::json[], $100::json[], $101::json[], $102::text[], $103::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $104::bigint)::integer / ((select count(*) from g1) = $105::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $106::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (delete from companies where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from company_domains using (values ($4::text, $5::uuid)) as v (domain, company_id) where company_domains.tenant_id = $6
    and company_domains.domain = v.domain and company_domains.company_id = v.company_id returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $7::bigint) + $8::bigint
    where tenant_id = $9 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $10::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($11::uuid, $12::text, $13::timestamptz, $14::uuid, $15::text, $16::uuid, $17::integer, $18::text, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::json, $26::json, $27::json, $28::text, $29::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $30::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $31::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (delete from faqs where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from knowledge_tags
    where tenant_id = $4 and subject_id = $5 and tag_id = any($6::uuid[]) returning 1), w1 as (delete from search_documents where tenant_id = $7 and kind = $8 and id = $9 returning 1), w2 as (delete from votes where tenant_id = $10 and subject_id = $11 returning 1), w3 as (delete from vote_counts where tenant_id = $12 and subject_id = $13 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $14::bigint) + $15::bigint
    where tenant_id = $16 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $17::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($18::uuid, $19::text, $20::timestamptz, $21::uuid, $22::text, $23::uuid, $24::integer, $25::text, $26::text, $27::text, $28::text, $29::text, $30::text, $31::text, $32::json, $33::json, $34::json, $35::text, $36::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $37::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from head) = $38::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (delete from macros where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from macro_uses where tenant_id = $4 and macro_id = $5 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $6::bigint) + $7::bigint
    where tenant_id = $8 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $9::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($10::uuid, $11::text, $12::timestamptz, $13::uuid, $14::text, $15::uuid, $16::integer, $17::text, $18::text, $19::text, $20::text, $21::text, $22::text, $23::text, $24::json, $25::json, $26::json, $27::text, $28::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $29::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $30::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (delete from tags where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from tags where tenant_id = $4 and merged_into_id = $5 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $6::bigint) + $7::bigint
    where tenant_id = $8 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $9::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($10::uuid, $11::text, $12::timestamptz, $13::uuid, $14::text, $15::uuid, $16::integer, $17::text, $18::text, $19::text, $20::text, $21::text, $22::text, $23::text, $24::json, $25::json, $26::json, $27::text, $28::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $29::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $30::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (delete from webhook_endpoints where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from webhook_endpoint_states where tenant_id = $4 and endpoint_id = $5 returning 1), w1 as (delete from webhook_recoveries where tenant_id = $6 and endpoint_id = $7 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $8::bigint) + $9::bigint
    where tenant_id = $10 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $11::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($12::uuid, $13::text, $14::timestamptz, $15::uuid, $16::text, $17::uuid, $18::integer, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::text, $26::json, $27::json, $28::json, $29::text, $30::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $31::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $32::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (select 1 from operators where tenant_id = $1 and id = $2 and version = $3 for share), w0 as (insert into console_sessions (tenant_id, id, token_hash, operator_id, created_by, user_agent, ip, last_used_at, expires_at, revoked_at, created_at, updated_at, version) values ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) returning 1), w1 as (delete from console_sessions where tenant_id = $17 and operator_id = $18
    and (expires_at < $19 or revoked_at < $20) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $21::bigint) + $22::bigint
    where tenant_id = $23 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $24::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($25::uuid, $26::text, $27::timestamptz, $28::uuid, $29::text, $30::uuid, $31::integer, $32::text, $33::text, $34::text, $35::text, $36::text, $37::text, $38::text, $39::json, $40::json, $41::json, $42::text, $43::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $44::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $45::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (update conversations set subject = $1, priority = $2, language = $3, external_id = $4, metadata = $5, follow_up_of_id = $6, status = $7, waiting_since = $8, message_count = $9, last_message_at = $10, last_message_side = $11, first_response_at = $12, resolved_at = $13, closed_at = $14, reopened_count = $15, merged_into_id = $16, read_by_end_user = $17, read_by_operator = $18, unread_by_end_user = $19, unread_by_operator = $20, updated_at = $21, version = $22, department_id = $23, category_id = $24, assignee_id = $25, assignment_strategy = $26, assignment_reason = $27, assigned_at = $28, awaits_routing = $29, waiting_on = $30, hold_reason_id = $31, hold_note = $32, hold_since = $33, hold_until = $34, resumes_on_reply = $35, sla_config_id = $36, sla_config_version = $37, sla_follows = $38, sla = $39, sla_due_at = $40, unanswered_since = $41, hold_pauses_sla = $42, company_id = $43, mailbox_id = $44, search = array_to_tsvector($45::text[]), tag_ids = $46, participant_ids = $47, custom_values = $48 where tenant_id = $49 and id = $50 and version = $51 returning 1), g1 as (select 1 from (values ($52::bigint)) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $53), 0)), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $54::bigint) + $55::bigint
    where tenant_id = $56 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $57::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($58::uuid, $59::text, $60::timestamptz, $61::uuid, $62::text, $63::uuid, $64::integer, $65::text, $66::text, $67::text, $68::text, $69::text, $70::text, $71::text, $72::json, $73::json, $74::json, $75::text, $76::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $77::bigint)::integer / ((select count(*) from g1) = $78::bigint)::integer / ((select count(*) from head) = $79::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with g0 as (update messages set body = $1, metadata = $2, edited_at = $3, redacted_at = $4, updated_at = $5, version = $6, attachments = $7, body_html = $8, email = $9, delivery = $10, mentions = $11, search = array_to_tsvector($12::text[]) where tenant_id = $13 and id = $14 and version = $15 returning 1), g1 as (select 1 from conversations where tenant_id = $16 and id = $17 and version = $18 for share), w0 as (insert into message_revisions (tenant_id, message_id, version, body, written_at, replaced_at) values ($19, $20, $21, $22, $23, $24) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $25::bigint) + $26::bigint
    where tenant_id = $27 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $28::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($29::uuid, $30::text, $31::timestamptz, $32::uuid, $33::text, $34::uuid, $35::integer, $36::text, $37::text, $38::text, $39::text, $40::text, $41::text, $42::text, $43::json, $44::json, $45::json, $46::text, $47::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $48::bigint)::integer / ((select count(*) from g1) = $49::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $50::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $1::bigint) + $2::bigint
    where tenant_id = $3 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $4::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($5::uuid, $6::text, $7::timestamptz, $8::uuid, $9::text, $10::uuid, $11::integer, $12::text, $13::text, $14::text, $15::text, $16::text, $17::text, $18::text, $19::json, $20::json, $21::json, $22::text, $23::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from head) = $24::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $14, priority = $15, language = $16, external_id = $17, metadata = $18, follow_up_of_id = $19, status = $20, waiting_since = $21, message_count = $22, last_message_at = $23, last_message_side = $24, first_response_at = $25, resolved_at = $26, closed_at = $27, reopened_count = $28, merged_into_id = $29, read_by_end_user = $30, read_by_operator = $31, unread_by_end_user = $32, unread_by_operator = $33, updated_at = $34, version = $35, department_id = $36, category_id = $37, assignee_id = $38, assignment_strategy = $39, assignment_reason = $40, assigned_at = $41, awaits_routing = $42, waiting_on = $43, hold_reason_id = $44, hold_note = $45, hold_since = $46, hold_until = $47, resumes_on_reply = $48, sla_config_id = $49, sla_config_version = $50, sla_follows = $51, sla = $52, sla_due_at = $53, unanswered_since = $54, hold_pauses_sla = $55, company_id = $56, mailbox_id = $57, search = array_to_tsvector($58::text[]), tag_ids = $59, participant_ids = $60, custom_values = $61 where tenant_id = $62 and id = $63 and version = $64 returning 1), w0 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, search) values ($65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, array_to_tsvector($86::text[])) returning 1), w1 as (insert into macro_uses (tenant_id, macro_id, id, used_at) values ($87, $88, $89, $90) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $91::bigint) + $92::bigint
    where tenant_id = $93 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $94::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($95::uuid[], $96::text[], $97::timestamptz[], $98::uuid[], $99::text[], $100::uuid[], $101::integer[], $102::text[], $103::text[], $104::text[], $105::text[], $106::text[], $107::text[], $108::text[], $109::json[], $110::json[], $111::json[], $112::text[], $113::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $114::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $115::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update faqs set question = v.question, answer = v.answer, answer_html = v.answer_html, locale = v.locale, category_id = v.category_id, kb_article_id = v.kb_article_id, position = v.position, status = v.status, archived = v.archived, updated_at = v.updated_at, version = v.version, locale_key = v.locale_key, tag_ids = array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[] from unnest($14::uuid[], $15::text[], $16::text[], $17::text[], $18::text[], $19::uuid[], $20::uuid[], $21::integer[], $22::text[], $23::boolean[], $24::timestamptz[], $25::integer[], $26::text[], $27::text[]) as v (id, question, answer, answer_html, locale, category_id, kb_article_id, position, status, archived, updated_at, version, locale_key, tag_ids)
      where faqs.tenant_id = $28 and faqs.id = v.id and faqs.version = v.version - 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $29::bigint) + $30::bigint
    where tenant_id = $31 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $32::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($33::uuid[], $34::text[], $35::timestamptz[], $36::uuid[], $37::text[], $38::uuid[], $39::integer[], $40::text[], $41::text[], $42::text[], $43::text[], $44::text[], $45::text[], $46::text[], $47::json[], $48::json[], $49::json[], $50::text[], $51::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $52::bigint)::integer / ((select count(*) from head) = $53::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into mailboxes (tenant_id, id, address, aliases, from_name, signature, department_id, outbound, smtp, smtp_password_sealed, status, plus_addressing, trusted_authserv_ids, reply_to_senders, auto_reply_template_id, auto_reply_to, quote, attach_max_bytes, rate_per_minute, verified_at, archived, metadata, created_at, updated_at, version) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38) returning 1), w1 as (insert into mailbox_addresses (tenant_id, address, mailbox_id)
    select $39::uuid, address, mailbox_id from (values ($40::text, $41::uuid)) as v (address, mailbox_id) order by address collate "C" returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $42::bigint) + $43::bigint
    where tenant_id = $44 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $45::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($46::uuid, $47::text, $48::timestamptz, $49::uuid, $50::text, $51::uuid, $52::integer, $53::text, $54::text, $55::text, $56::text, $57::text, $58::text, $59::text, $60::json, $61::json, $62::json, $63::text, $64::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $65::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into sla_configs (tenant_id, id, name, description, position, department_ids, category_ids, priorities, channels, targets, schedule, pauses_on_pending, warn_at_percent, archived, created_at, updated_at, version, company_ids, name_key, tag_ids) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33) returning 1), w1 as (insert into sla_generations (tenant_id, generation) values ($34, 1)
    on conflict (tenant_id) do update set generation = sla_generations.generation + 1 returning 1), w2 as (insert into sla_config_tags (tenant_id, tag_id, sla_config_id)
    select $35::uuid, tag_id, sla_config_id from (values ($36::uuid, $37::uuid)) as v (tag_id, sla_config_id) returning 1), w3 as (insert into sla_config_versions (tenant_id, sla_config_id, version, terms)
    select $38::uuid, sla_config_id, version, terms from (values ($39::uuid, $40::integer, $41::json)) as v (sla_config_id, version, terms) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $42::bigint) + $43::bigint
    where tenant_id = $44 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $45::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($46::uuid, $47::text, $48::timestamptz, $49::uuid, $50::text, $51::uuid, $52::integer, $53::text, $54::text, $55::text, $56::text, $57::text, $58::text, $59::text, $60::json, $61::json, $62::json, $63::text, $64::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from head) = $65::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into sla_configs (tenant_id, id, name, description, position, department_ids, category_ids, priorities, channels, targets, schedule, pauses_on_pending, warn_at_percent, archived, created_at, updated_at, version, company_ids, name_key, tag_ids) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33) returning 1), w1 as (insert into sla_generations (tenant_id, generation) values ($34, 1)
    on conflict (tenant_id) do update set generation = sla_generations.generation + 1 returning 1), w2 as (insert into sla_config_versions (tenant_id, sla_config_id, version, terms)
    select $35::uuid, sla_config_id, version, terms from (values ($36::uuid, $37::integer, $38::json)) as v (sla_config_id, version, terms) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $39::bigint) + $40::bigint
    where tenant_id = $41 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $42::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($43::uuid, $44::text, $45::timestamptz, $46::uuid, $47::text, $48::uuid, $49::integer, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::text, $57::json, $58::json, $59::json, $60::text, $61::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $62::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/events.ts: raiseHead
with w0 as (insert into companies (tenant_id, id, external_id, name, domains, metadata, archived, created_at, updated_at, version, name_key, search, custom_values) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, array_to_tsvector($12::text[]), $13) returning 1), w1 as (insert into company_domains (tenant_id, domain, company_id)
    select $14::uuid, domain, company_id from (values ($15::text, $16::uuid)) as v (domain, company_id) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $17::bigint) + $18::bigint
    where tenant_id = $19 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $20::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($21::uuid, $22::text, $23::timestamptz, $24::uuid, $25::text, $26::uuid, $27::integer, $28::text, $29::text, $30::text, $31::text, $32::text, $33::text, $34::text, $35::json, $36::json, $37::json, $38::text, $39::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $40::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: environmentsWithExpiredKeys
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select created_at from idempotency_keys where idempotency_keys.tenant_id = h.tenant_id
      order by created_at limit 1) oldest
    where e.clock_offset_ms <> 0
      and oldest.created_at < to_timestamp(($1::bigint + e.clock_offset_ms) / 1000.0);

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: environmentsWithExpiredKeys
select h.tenant_id as id from journal_heads h
    join idempotency_keys k on k.tenant_id = h.tenant_id
    where k.created_at < $1 group by h.tenant_id;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: findKey
select k.fingerprint, k.request_id as "requestId", k.status, k.location, k.etag,
      coalesce(k.own_body, e.object::text) as body, k.event_id is not null as "hasEvent", k.sealed
    from idempotency_keys k left join lateral (select object from events
      where tenant_id = $1 and stream_id = k.event_stream_id and id = k.event_id and (events.epoch, events.position, events.ordinal) > ($2::integer, (extract(epoch from k.written_at) * 1000000)::bigint::text::xid8, 0) limit 1) e on true
    where k.tenant_id = $3 and k.key = $4;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: insertKeys
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1) select 1 / ((select count(*) from k) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: insertKeys
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (delete from test_clock_advances where tenant_id = $14 and idempotency_key = $15 returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: keepBodies
update idempotency_keys set own_body = events.object::text, event_stream_id = null, event_id = null
    from (select id, idempotency_key, object from events
      where tenant_id = $1 and (events.epoch, events.position, events.ordinal) <= ($2::integer, $3::text::xid8, $4::integer) order by events.epoch, events.position, events.ordinal limit 500 for update) events
    where idempotency_keys.tenant_id = $5 and idempotency_keys.key = events.idempotency_key
      and idempotency_keys.event_id = events.id;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: storedBodies
select key, own_body as body from idempotency_keys where tenant_id = $1 and resource_id = any($2::uuid[])
    union select k.key, k.own_body from idempotency_keys k join
      unnest($3::text[], $4::text[])
        as named (key, request_id) on named.key = k.key and named.request_id = k.request_id
    where k.tenant_id = $5 and k.own_body is not null;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: sweepKeys
delete from idempotency_keys
    where tenant_id = $1 and key in (
      select key from idempotency_keys where tenant_id = $2 and created_at < $3 limit $4)
    returning 1 as swept;

-- packages/server/src/platform/unit-of-work/idempotency-keys.ts: takenKeys
select key from idempotency_keys where tenant_id = $1 and key = any($2::text[]);

-- packages/server/src/platform/unit-of-work/memory.ts: generationIn
select coalesce((select generation from end_user_generations where tenant_id = $1), 0) as generation;

-- packages/server/src/platform/votes/votes.ts: addToCounts
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from kb_articles where tenant_id = $14 and id = $15 and version = $16 for share), g1 as (update votes set helpful = $17 where tenant_id = $18 and subject_id = $19
    and external_user_id = $20 and helpful <> $21 returning 1), w0 as (insert into vote_counts (tenant_id, subject_id, helpful, unhelpful)
    values ($22, $23, $24, $25)
    on conflict (tenant_id, subject_id) do update set helpful = vote_counts.helpful + excluded.helpful,
      unhelpful = vote_counts.unhelpful + excluded.unhelpful returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $26::bigint)::integer / ((select count(*) from g1) = $27::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/platform/votes/votes.ts: addToCounts
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from kb_articles where tenant_id = $14 and id = $15 and version = $16 for share), w0 as (insert into votes (tenant_id, subject_id, external_user_id, helpful)
    values ($17, $18, $19, $20) returning 1), w1 as (insert into vote_counts (tenant_id, subject_id, helpful, unhelpful)
    values ($21, $22, $23, $24)
    on conflict (tenant_id, subject_id) do update set helpful = vote_counts.helpful + excluded.helpful,
      unhelpful = vote_counts.unhelpful + excluded.unhelpful returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $25::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/platform/votes/votes.ts: deleteVotes
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from end_users where tenant_id = $14 and id = $15 and version = $16 for share), g1 as (select 1 from faqs where tenant_id = $17 and id = $18 and version = $19 for share), g2 as (delete from votes using unnest($20::uuid[],
      $21::text[], $22::boolean[])
      as gone (subject_id, external_user_id, helpful)
    where votes.tenant_id = $23 and votes.subject_id = gone.subject_id
      and votes.external_user_id = gone.external_user_id and votes.helpful = gone.helpful returning 1), w0 as (insert into votes (tenant_id, subject_id, external_user_id, helpful)
    values ($24, $25, $26, $27) returning 1), w1 as (insert into vote_counts (tenant_id, subject_id, helpful, unhelpful)
    values ($28, $29, $30, $31)
    on conflict (tenant_id, subject_id) do update set helpful = vote_counts.helpful + excluded.helpful,
      unhelpful = vote_counts.unhelpful + excluded.unhelpful returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $32::bigint)::integer / ((select count(*) from g1) = $33::bigint)::integer / ((select count(*) from g2) = $34::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/platform/votes/votes.ts: findVotes
select external_user_id, helpful from votes
    where tenant_id = $1 and subject_id = $2 and external_user_id = any($3::text[]);

-- packages/server/src/support/access/console-sessions/links/queries.ts: findLink
select workspace_id, email, expires_at, used_at from console_links where token_hash = $1;

-- packages/server/src/support/access/console-sessions/links/queries.ts: freeLink
update console_links set used_at = null
    where (token_hash = $1 or (workspace_id = $2 and email is null)) and used_at = $3;

-- packages/server/src/support/access/console-sessions/links/queries.ts: insertLink
delete from console_links where expires_at < $1;

-- packages/server/src/support/access/console-sessions/links/queries.ts: insertLink
insert into console_links (token_hash, workspace_id, email, expires_at)
    values ($1, $2, $3, $4);

-- packages/server/src/support/access/console-sessions/links/queries.ts: useLink
update console_links set used_at = $1
    where token_hash = $2 and used_at is null and expires_at > $3 returning token_hash;

-- packages/server/src/support/access/console-sessions/queries.ts: findConsoleSession
select s.id, s.operator_id as "operatorId", s.expires_at as "expiresAt",
      s.revoked_at as "revokedAt", s.last_used_at as "lastUsedAt", o.archived as "isArchived", o.role, o.name, o.email,
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from console_sessions s join environments e on e.id = s.tenant_id
    join operators o on o.tenant_id = $1 and o.id = s.operator_id
    where s.tenant_id = $2 and s.token_hash = $3;

-- packages/server/src/support/access/console-sessions/queries.ts: findLiving
select console_sessions.id, console_sessions.token_hash, console_sessions.operator_id, console_sessions.created_by, console_sessions.user_agent, console_sessions.ip, console_sessions.last_used_at, console_sessions.expires_at, console_sessions.revoked_at, console_sessions.created_at, console_sessions.updated_at, console_sessions.version from console_sessions
    where tenant_id = $1 and operator_id = $2 and revoked_at is null and expires_at > $3
    order by id desc;

-- packages/server/src/support/access/console-sessions/queries.ts: hasAdmin
select 1 as found from operators
    where tenant_id = $1 and role = 'admin' and not archived
      and email_key <> $2 limit 1;

-- packages/server/src/support/access/console-sessions/queries.ts: touchConsoleSessions
update console_sessions set last_used_at = $1 from (
      select id from console_sessions where tenant_id = $2 and id = any($3::uuid[])
        and last_used_at < $4 order by id for update skip locked) used
    where console_sessions.tenant_id = $5 and console_sessions.id = used.id;

-- packages/server/src/support/access/invitations/queries.ts: findByNumber
select id from invitations
    where tenant_id = $1 and operator_id = $2 and number = $3;

-- packages/server/src/support/access/invitations/queries.ts: findByToken
select i.id, e.id as "tenantId",
      e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from invitations i join environments e on e.id = i.tenant_id
    where i.tenant_id = $1 and i.token_hash = $2;

-- packages/server/src/support/access/invitations/queries.ts: findLatest
select invitations.id, invitations.operator_id, invitations.number, invitations.token_hash, invitations.email, invitations.role, invitations.highest_role, invitations.environments, invitations.expires_at, invitations.accepted_at, invitations.revoked_at, invitations.created_at, invitations.updated_at, invitations.version from invitations
    where tenant_id = $1 and operator_id = $2 order by number desc limit 1;

-- packages/server/src/support/access/invitations/queries.ts: findNamesake
select role, archived from operators
    where tenant_id = $1 and email_key = $2;

-- packages/server/src/support/admin/api-keys/queries.ts: endSecrets
with w0 as (update api_key_secrets set expires_at = $1 where api_key_id = $2 and expires_at is null returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/admin/api-keys/queries.ts: findEnvironmentOfKey
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from api_keys k join environments e on e.id = k.tenant_id where k.id = $1;

-- packages/server/src/support/admin/api-keys/queries.ts: findKeyBySecret
select k.id, k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
      k.allowed_cidrs as "allowedCidrs", k.allowed_origins as "allowedOrigins", k.last_used_at as "lastUsedAt", s.expires_at as "secretExpiresAt",
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from api_key_secrets s join api_keys k on k.id = s.api_key_id join environments e on e.id = k.tenant_id
    where s.secret_hash = $1;

-- packages/server/src/support/admin/api-keys/queries.ts: insertSecret
with w1 as (insert into api_key_secrets (secret_hash, api_key_id) values ($1, $2) returning 1) select 1 / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/admin/api-keys/queries.ts: touchApiKey
update api_keys set last_used_at = $1
    where tenant_id = $2 and id = $3 and (last_used_at is null or last_used_at < $4);

-- packages/server/src/support/admin/test-clock/queries.ts: beginAdvance
insert into test_clock_advances (tenant_id, idempotency_key, target_offset_ms)
    values ($1, $2, $3);

-- packages/server/src/support/admin/test-clock/queries.ts: findAdvance
select target_offset_ms as target from test_clock_advances
    where tenant_id = $1 and idempotency_key = $2;

-- packages/server/src/support/admin/test-clock/queries.ts: findClockOffset
select clock_offset_ms as offset from environments where id = $1;

-- packages/server/src/support/admin/test-clock/queries.ts: moveClock
update environments set clock_offset_ms = $1 where id = $2 and clock_offset_ms < $3;

-- packages/server/src/support/admin/workspace/queries.ts: allEnvironments
select id as "tenantId", workspace_id as "workspaceId", kind, clock_offset_ms as "clockOffsetMs",
      event_retention_days as "eventRetentionDays" from environments order by id;

-- packages/server/src/support/admin/workspace/queries.ts: findWorkspace
select w.id, w.name, e.auto_close_after_seconds, e.event_retention_days, e.default_language,
      e.end_users_may_resolve, e.file_types_denied, e.claim_order, e.reply_assigns, e.created_at, e.updated_at, e.version
    from environments e join workspaces w on w.id = e.workspace_id where e.id = $1;

-- packages/server/src/support/admin/workspace/queries.ts: findWorkspaceByName
select id, name from workspaces where lower(name) = lower($1);

-- packages/server/src/support/admin/workspace/queries.ts: insertWorkspace
insert into environments (id, workspace_id, kind, auto_close_after_seconds, event_retention_days, default_language,
      end_users_may_resolve, created_at, updated_at, version) values ($1, $2, $3, $4,
      $5, $6, $7, $8, $9, 1), ($10, $11, $12, $13,
      $14, $15, $16, $17, $18, 1);

-- packages/server/src/support/admin/workspace/queries.ts: insertWorkspace
insert into journal_heads (tenant_id, position) values ($1, 0);

-- packages/server/src/support/admin/workspace/queries.ts: insertWorkspace
insert into workspaces (id, name, created_at) values ($1, $2, $3);

-- packages/server/src/support/admin/workspace/queries.ts: listEnvironments
select id as "tenantId", workspace_id as "workspaceId", kind, clock_offset_ms as "clockOffsetMs"
    from environments where workspace_id = $1;

-- packages/server/src/support/admin/workspace/queries.ts: listWorkspaces
select id, name, created_at from workspaces order by id;

-- packages/server/src/support/admin/workspace/queries.ts: raiseSiblingVersion
with w1 as (update environments set version = version + 1 where workspace_id = $1 and id <> $2 returning 1) select 1 / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/admin/workspace/queries.ts: renameWorkspace
with w0 as (update workspaces set name = $1 where id = $2 returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/admin/workspace/queries.ts: workspaceTable
select 1 from environments where id = $1 and version = $2 for share;

-- packages/server/src/support/admin/workspace/queries.ts: workspaceTable
with g0 as (update environments set auto_close_after_seconds = $1,
      event_retention_days = $2, default_language = $3,
      end_users_may_resolve = $4, file_types_denied = $5,
      claim_order = $6, reply_assigns = $7, updated_at = $8, version = $9
    where id = $10 and version = $11 returning 1) select 1 / ((select count(*) from g0) = $12::bigint)::integer;

-- packages/server/src/support/automation/macros/queries.ts: findMacroByName
select id from macros where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/automation/macros/queries.ts: macroTable
select macros.id, macros.name, macros.description, case when (coalesce(octet_length(macros.actions::text), 0)) <= 8192 then macros.actions end as actions, macros.department_ids, macros.position, macros.archived, macros.created_at, macros.updated_at, macros.version, case when (coalesce(octet_length(macros.actions::text), 0)) > 8192 then (coalesce(octet_length(macros.actions::text), 0)) end as large_bytes, (select count(*) from macro_uses used
      where used.tenant_id = $1 and used.macro_id = macros.id) as usage_count, (select used.used_at from macro_uses used
      where used.tenant_id = $2 and used.macro_id = macros.id order by used.id desc limit 1) as last_used_at from macros where macros.tenant_id = $3 and macros.id = $4;

-- packages/server/src/support/automation/macros/queries.ts: macroTable
select macros.id, macros.name, macros.description, case when (coalesce(octet_length(macros.actions::text), 0)) <= 8192 then macros.actions end as actions, macros.department_ids, macros.position, macros.archived, macros.created_at, macros.updated_at, macros.version, case when (coalesce(octet_length(macros.actions::text), 0)) > 8192 then (coalesce(octet_length(macros.actions::text), 0)) end as large_bytes, (select count(*) from macro_uses used
      where used.tenant_id = $1 and used.macro_id = macros.id) as usage_count, (select used.used_at from macro_uses used
      where used.tenant_id = $2 and used.macro_id = macros.id order by used.id desc limit 1) as last_used_at from macros where macros.tenant_id = $3 and not archived and (position, name_key, id) > ($4, $5, $6) order by position, name_key, id limit 10;

-- packages/server/src/support/automation/macros/queries.ts: macroTable
select macros.id, macros.name, macros.description, case when (coalesce(octet_length(macros.actions::text), 0)) <= 8192 then macros.actions end as actions, macros.department_ids, macros.position, macros.archived, macros.created_at, macros.updated_at, macros.version, case when (coalesce(octet_length(macros.actions::text), 0)) > 8192 then (coalesce(octet_length(macros.actions::text), 0)) end as large_bytes, (select count(*) from macro_uses used
      where used.tenant_id = $1 and used.macro_id = macros.id) as usage_count, (select used.used_at from macro_uses used
      where used.tenant_id = $2 and used.macro_id = macros.id order by used.id desc limit 1) as last_used_at from macros where macros.tenant_id = $3 order by position, name_key, id limit 26;

-- packages/server/src/support/automation/macros/queries.ts: usableIn
select count(*) from (select 1 from macros where macros.tenant_id = $1 and not archived and (department_ids = '{}' or $2::uuid = any(department_ids)) limit $3) found;

-- packages/server/src/support/catalogue/categories/queries.ts: findCategoryByName
select id from categories where tenant_id = $1
    and coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid) = $2
    and name_key = $3;

-- packages/server/src/support/catalogue/email-suppressions/queries.ts: findSuppressionOf
select id from email_suppressions where tenant_id = $1 and address = $2;

-- packages/server/src/support/catalogue/email-suppressions/queries.ts: suppressed
select address from email_suppressions where tenant_id = $1
          and address = any($2::text[]) and (expires_at is null or expires_at > $3);

-- packages/server/src/support/catalogue/hold-reasons/queries.ts: findHoldReasonByName
select id from hold_reasons where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/catalogue/hold-reasons/queries.ts: holdReasonTable
select hold_reasons.id, hold_reasons.name, hold_reasons.description, hold_reasons.waiting_on, hold_reasons.pauses_sla, hold_reasons.resumes_on_reply, hold_reasons.requires_note, hold_reasons.default_duration_seconds, hold_reasons.max_duration_seconds, hold_reasons.on_expiry, hold_reasons.archived, hold_reasons.created_at, hold_reasons.updated_at, hold_reasons.version, case when hold_reasons.follow_up_template_id is not null then json_build_object(
      'every_seconds', hold_reasons.follow_up_every_seconds,
      'template_id', hold_reasons.follow_up_template_id,
      'max_count', hold_reasons.follow_up_max_count) end as follow_up from hold_reasons where hold_reasons.tenant_id = $1 order by id limit 201;

-- packages/server/src/support/catalogue/mailboxes/queries.ts: deleteAddresses
with g0 as (delete from mailboxes where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from mailbox_addresses using unnest($4::text[], $5::uuid[]) as v (address, mailbox_id)
    where mailbox_addresses.tenant_id = $6 and mailbox_addresses.address = v.address
    and mailbox_addresses.mailbox_id = v.mailbox_id returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $7::bigint) + $8::bigint
    where tenant_id = $9 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $10::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($11::uuid, $12::text, $13::timestamptz, $14::uuid, $15::text, $16::uuid, $17::integer, $18::text, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::json, $26::json, $27::json, $28::text, $29::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $30::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $31::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/catalogue/mailboxes/queries.ts: findOwnerOfAddresses
select mailbox_id as id from mailbox_addresses
    where tenant_id = $1 and address = any($2::text[]) and mailbox_id <> $3 limit 1;

-- packages/server/src/support/catalogue/mailboxes/queries.ts: mailboxesOfAddresses
select address, mailbox_id
    from mailbox_addresses
    where tenant_id = $1 and address = any($2::text[]);

-- packages/server/src/support/catalogue/message-templates/queries.ts: findTemplateByName
select id from message_templates where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/catalogue/message-templates/queries.ts: messageTemplateTable
select message_templates.id, message_templates.name, message_templates.folder, case when (coalesce(octet_length(message_templates.body), 0) + coalesce(octet_length(message_templates.variants::text), 0)) <= 8192 then message_templates.body end as body, message_templates.body_format, message_templates.locale, case when (coalesce(octet_length(message_templates.body), 0) + coalesce(octet_length(message_templates.variants::text), 0)) <= 8192 then message_templates.variants end as variants, message_templates.variables, message_templates.archived, message_templates.created_at, message_templates.updated_at, message_templates.version, case when (coalesce(octet_length(message_templates.body), 0) + coalesce(octet_length(message_templates.variants::text), 0)) > 8192 then (coalesce(octet_length(message_templates.body), 0) + coalesce(octet_length(message_templates.variants::text), 0)) end as large_bytes, (select count(*) from messages where messages.tenant_id = $1
      and messages.template_id = message_templates.id) as usage_count from message_templates where message_templates.tenant_id = $2 order by id limit 201;

-- packages/server/src/support/catalogue/tags/queries.ts: conversationsTagged
select conversations.id from conversations where conversations.tenant_id = $1 and id in (select used.conversation_id from conversation_tags used where used.tenant_id = $2 and used.tag_id = $3) order by id limit 1000;

-- packages/server/src/support/catalogue/tags/queries.ts: conversationsTagged
select count(*) from (select 1 from conversations where conversations.tenant_id = $1 and status = any($2::text[]) and id in (select used.conversation_id from conversation_tags used where used.tenant_id = $3 and used.tag_id = $4) limit $5) found;

-- packages/server/src/support/catalogue/tags/queries.ts: countUses
select count(distinct conversation_id) from conversation_tags
    where tenant_id = $1 and tag_id in (select id from tags
      where tags.tenant_id = $2 and (id = any($3::uuid[]) or merged_into_id = any($4::uuid[])));

-- packages/server/src/support/catalogue/tags/queries.ts: deleteUses
delete from conversation_tags using (values ($1::uuid, $2::uuid, $3::uuid)) as gone (tenant_id, tag_id, conversation_id)
    where conversation_tags.tenant_id = $4 and conversation_tags.conversation_id = gone.conversation_id
      and conversation_tags.tag_id = gone.tag_id;

-- packages/server/src/support/catalogue/tags/queries.ts: findTagByName
select coalesce(merged_into_id, id) as id, id as row_id from tags
    where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/catalogue/tags/queries.ts: findTags
select named.id as key, shown.id, shown.name
    from tags named join tags shown on shown.tenant_id = $1 and shown.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = $2 and named.id = any($3::uuid[]);

-- packages/server/src/support/catalogue/tags/queries.ts: findTagsByName
select named.name_key as key, shown.id, shown.name, shown.archived,
      array(select also.id from tags also where also.tenant_id = $1
        and (also.id = shown.id or also.merged_into_id = shown.id)) as all_ids
    from tags named join tags shown on shown.tenant_id = $2 and shown.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = $3 and named.name_key = any($4::text[]);

-- packages/server/src/support/catalogue/tags/queries.ts: holdsTagNamed
select count(*) from (select 1 from kb_articles where kb_articles.tenant_id = $1 and tag_ids && array(select also.id from tags named join tags also on also.tenant_id = $2
      and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = $3 and named.name_key = $4) limit $5) found;

-- packages/server/src/support/catalogue/tags/queries.ts: idsOfTagNamed
select also.id from tags named join tags also
      on also.tenant_id = $1
      and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = $2 and named.name_key = $3;

-- packages/server/src/support/catalogue/tags/queries.ts: tagTable
select tags.id, tags.name, tags.color, tags.description, tags.archived, tags.created_at, tags.updated_at, tags.version, tags.merged_into_id, (select count(distinct used.conversation_id) from conversation_tags used
      where used.tenant_id = $1 and used.tag_id in (select also.id from tags also
        where also.tenant_id = $2 and (also.id = tags.id or also.merged_into_id = tags.id))) as usage_count from tags where tags.tenant_id = $3 and tags.merged_into_id is null and not archived and (name_key, id) > ($4, $5) order by name_key, id limit 10;

-- packages/server/src/support/catalogue/tags/queries.ts: tagTable
select tags.id, tags.name, tags.color, tags.description, tags.archived, tags.created_at, tags.updated_at, tags.version, tags.merged_into_id, (select count(distinct used.conversation_id) from conversation_tags used
      where used.tenant_id = $1 and used.tag_id in (select also.id from tags also
        where also.tenant_id = $2 and (also.id = tags.id or also.merged_into_id = tags.id))) as usage_count from tags where tags.tenant_id = $3 and tags.merged_into_id is null and tags.id = $4;

-- packages/server/src/support/catalogue/tags/queries.ts: tagTable
select tags.id, tags.name, tags.color, tags.description, tags.archived, tags.created_at, tags.updated_at, tags.version, tags.merged_into_id, (select count(distinct used.conversation_id) from conversation_tags used
      where used.tenant_id = $1 and used.tag_id in (select also.id from tags also
        where also.tenant_id = $2 and (also.id = tags.id or also.merged_into_id = tags.id))) as usage_count from tags where tags.tenant_id = $3 and tags.merged_into_id is null order by name_key, id limit 26;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select faqs.id, faqs.question, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer end as answer, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer_html end as answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) > 8192 then (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) end as large_bytes, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count from faqs where faqs.tenant_id = $5 and faqs.id = $6;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select faqs.id, faqs.question, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer end as answer, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer_html end as answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) > 8192 then (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) end as large_bytes, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count from faqs where faqs.tenant_id = $5 and not archived and category_id = $6 order by position, id limit 26;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select faqs.id, faqs.question, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer end as answer, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) <= 8192 then faqs.answer_html end as answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) > 8192 then (coalesce(octet_length(faqs.answer), 0) + coalesce(octet_length(faqs.answer_html), 0)) end as large_bytes, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count from faqs where faqs.tenant_id = $5 and not archived and kb_article_id = $6 order by position, id limit 26;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select faqs.id, faqs.question, faqs.answer, faqs.answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count, found.score
    from (select distinct on (family) id, score from (
      with in_head as materialized (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $5 and kind = any($6::text[]) and exists (select 1 from faqs where faqs.tenant_id = $7 and faqs.id = search_documents.id
    and true and not archived) and tokens @@ $8::tsquery limit $9),
      anywhere as (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $10 and kind = any($11::text[]) and exists (select 1 from faqs where faqs.tenant_id = $12 and faqs.id = search_documents.id
    and true and not archived) and tokens @@ $13::tsquery and (select count(*) from in_head) < $14 limit $15)
      select id, family, round(10000 * nearness * least(1, 0.1 + $16::float8 * ts_rank('{0.1, 0.3, 0.6, 1}', head, (select $17::tsquery)) + 0.1 * (head @@ (select $18::tsquery))::integer))::integer as score
      from (table in_head union all table anywhere) found) ranked
    order by family, score desc, id desc) found join faqs on faqs.tenant_id = $19 and faqs.id = found.id
    
    order by found.score desc, found.id desc limit $20;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select faqs.id, faqs.question, faqs.answer, faqs.answer_html, faqs.locale, faqs.category_id, faqs.kb_article_id, faqs.position, faqs.status, faqs.archived, faqs.created_at, faqs.updated_at, faqs.version, case when faqs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(faqs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = faqs.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = faqs.id), 0) as unhelpful_count, found.score
    from (select distinct on (family) id, score from (
      with in_head as materialized (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $5 and kind = any($6::text[]) and exists (select 1 from faqs where faqs.tenant_id = $7 and faqs.id = search_documents.id
    and true and not archived) and tokens @@ $8::tsquery limit $9),
      anywhere as (select id, id as family, 1 as nearness, head from search_documents
      where tenant_id = $10 and kind = any($11::text[]) and exists (select 1 from faqs where faqs.tenant_id = $12 and faqs.id = search_documents.id
    and true and not archived) and tokens @@ $13::tsquery and (select count(*) from in_head) < $14 limit $15)
      select id, family, round(10000 * nearness * least(1, 0.1 + $16::float8 * ts_rank('{0.1, 0.3, 0.6, 1}', head, (select $17::tsquery)) + 0.1 * (head @@ (select $18::tsquery))::integer))::integer as score
      from (table in_head union all table anywhere) found) ranked
    order by family, score desc, id desc) found join faqs on faqs.tenant_id = $19 and faqs.id = found.id
    where (found.score, found.id) < ($20, $21)
    order by found.score desc, found.id desc limit $22;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select kb_articles.id, kb_articles.collection_id, kb_articles.slug, kb_articles.locale, kb_articles.title, case when (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) <= 8192 then kb_articles.body end as body, case when (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) <= 8192 then kb_articles.body_html end as body_html, kb_articles.excerpt, kb_articles.author_id, kb_articles.metadata, kb_articles.translation_of_id, kb_articles.status, kb_articles.published, case when (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) <= 8192 then kb_articles.published_body end as published_body, case when (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) <= 8192 then kb_articles.published_body_html end as published_body_html, kb_articles.published_version, kb_articles.published_at, kb_articles.has_unpublished_changes, kb_articles.last_version, kb_articles.publish_at, kb_articles.publish_by, kb_articles.former_slugs, kb_articles.created_at, kb_articles.updated_at, kb_articles.version, case when (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) > 8192 then (coalesce(octet_length(kb_articles.body), 0) + coalesce(octet_length(kb_articles.body_html), 0) + coalesce(octet_length(kb_articles.published_body), 0) + coalesce(octet_length(kb_articles.published_body_html), 0)) end as large_bytes, case when kb_articles.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(kb_articles.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags, case when kb_articles.published_tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(kb_articles.published_tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as published_tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $5 and counted.subject_id = kb_articles.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $6 and counted.subject_id = kb_articles.id), 0) as unhelpful_count from kb_articles where kb_articles.tenant_id = $7 order by id limit 10;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select kb_articles.id, kb_articles.translation_of_id, kb_articles.status, kb_articles.published, kb_articles.published_version, kb_articles.published_at, kb_articles.has_unpublished_changes, kb_articles.last_version, kb_articles.publish_at, kb_articles.former_slugs, kb_articles.created_at, kb_articles.updated_at, kb_articles.version, null as tags, case when kb_articles.published_tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(kb_articles.published_tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as published_tags, coalesce((select counted.helpful from vote_counts counted
    where counted.tenant_id = $3 and counted.subject_id = kb_articles.id), 0) as helpful_count, coalesce((select counted.unhelpful from vote_counts counted
    where counted.tenant_id = $4 and counted.subject_id = kb_articles.id), 0) as unhelpful_count, null as collection_id, null as slug, null as locale, null as title, null as excerpt, null as author_id, null as metadata, null as publish_by, null as body, null as body_html, null as published_body, null as published_body_html, best.score,
      (select found.text from search_documents found
    where found.tenant_id = $5 and found.kind = $6 and found.id = best.id) as text
    from unnest($7::uuid[], $8::integer[]) with ordinality as best (id, score, place)
      join kb_articles on kb_articles.tenant_id = $9 and kb_articles.id = best.id
    where kb_articles.status = 'published' order by best.place;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select present.generation, sla_configs.id, sla_configs.name, sla_configs.description, sla_configs.position, sla_configs.department_ids, sla_configs.category_ids, sla_configs.priorities, sla_configs.channels, sla_configs.targets, sla_configs.schedule, sla_configs.pauses_on_pending, sla_configs.warn_at_percent, sla_configs.archived, sla_configs.created_at, sla_configs.updated_at, sla_configs.version, sla_configs.company_ids, case when sla_configs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(sla_configs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags
    from (select coalesce((select generation from sla_generations where tenant_id = $3), 0) as generation) present
      left join sla_configs on sla_configs.tenant_id = $4 and not sla_configs.archived
    order by position, id;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select sla_configs.id, sla_configs.name, sla_configs.description, sla_configs.position, sla_configs.department_ids, sla_configs.category_ids, sla_configs.priorities, sla_configs.channels, sla_configs.targets, sla_configs.schedule, sla_configs.pauses_on_pending, sla_configs.warn_at_percent, sla_configs.archived, sla_configs.created_at, sla_configs.updated_at, sla_configs.version, sla_configs.company_ids, case when sla_configs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(sla_configs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags from sla_configs
    where sla_configs.tenant_id = $3 order by position, id;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select sla_configs.id, sla_configs.name, sla_configs.description, sla_configs.position, sla_configs.department_ids, sla_configs.category_ids, sla_configs.priorities, sla_configs.channels, sla_configs.targets, sla_configs.schedule, sla_configs.pauses_on_pending, sla_configs.warn_at_percent, sla_configs.archived, sla_configs.created_at, sla_configs.updated_at, sla_configs.version, sla_configs.company_ids, case when sla_configs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(sla_configs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags from sla_configs where sla_configs.tenant_id = $3 and not archived and (position, id) > ($4, $5) order by position, id limit 10;

-- packages/server/src/support/catalogue/tags/queries.ts: tagsIn
select sla_configs.id, sla_configs.name, sla_configs.description, sla_configs.position, sla_configs.department_ids, sla_configs.category_ids, sla_configs.priorities, sla_configs.channels, sla_configs.targets, sla_configs.schedule, sla_configs.pauses_on_pending, sla_configs.warn_at_percent, sla_configs.archived, sla_configs.created_at, sla_configs.updated_at, sla_configs.version, sla_configs.company_ids, case when sla_configs.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(sla_configs.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $1 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $2 and target.id = tag.merged_into_id) end as tags from sla_configs where sla_configs.tenant_id = $3 order by id limit 201;

-- packages/server/src/support/data/erasure/queries.ts: countRows
select
    (select count(*) from end_users where tenant_id = $1 and id = any($2::uuid[])) as end_users,
    (select count(*) from end_user_addresses where tenant_id = $3 and end_user_id = any($4::uuid[])) as end_user_addresses,
    (select count(*) from company_members where tenant_id = $5 and end_user_id = any($6::uuid[])) as company_members,
    (select count(*) from end_user_sessions where tenant_id = $7 and end_user_id = any($8::uuid[])) as end_user_sessions,
    (select count(*) from conversations where tenant_id = $9 and end_user_id = any($10::uuid[])) as conversations,
    (select count(*) from conversation_participants where tenant_id = $11 and end_user_id = any($12::uuid[])) as conversation_participants,
    (select count(*) from inbound_emails where tenant_id = $13 and kept <> 'none' and end_user_id = any($14::uuid[])) as inbound_emails,
    (select count(*) from email_senders where tenant_id = $15 and end_user_id = any($16::uuid[])) as email_senders,
    (select count(*) from conversation_holds where tenant_id = $17 and conversation_id in (select own.id from conversations own where own.tenant_id = $18 and own.end_user_id = any($19::uuid[]))) as conversation_holds,
    (select count(*) from scheduled_messages where tenant_id = $20 and conversation_id in (select own.id from conversations own where own.tenant_id = $21 and own.end_user_id = any($22::uuid[]))) as scheduled_messages,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $23 and own.end_user_id = any($24::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $25 and shared.end_user_id = any($26::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $27 and former.end_user_id = any($28::uuid[])) part join messages m on m.tenant_id = $29 and m.conversation_id = part.id where (m.author_end_user_id = any($30::uuid[]) or (part.is_own and m.author_side = 'end_user' and m.author_end_user_id is null))) as messages,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $31 and own.end_user_id = any($32::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $33 and shared.end_user_id = any($34::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $35 and former.end_user_id = any($36::uuid[])) part join messages m on m.tenant_id = $37 and m.conversation_id = part.id join message_revisions r on r.tenant_id = $38 and r.message_id = m.id where (m.author_end_user_id = any($39::uuid[]) or (part.is_own and m.author_side = 'end_user' and m.author_end_user_id is null))) as message_revisions,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $40 and own.end_user_id = any($41::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $42 and shared.end_user_id = any($43::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $44 and former.end_user_id = any($45::uuid[])) part join messages m on m.tenant_id = $46 and m.conversation_id = part.id join message_files u on u.tenant_id = $47 and u.message_id = m.id where (m.author_end_user_id = any($48::uuid[]) or (part.is_own and m.author_side = 'end_user' and m.author_end_user_id is null))) as message_files,
    (select count(*) from events where tenant_id = $49 and (stream_id in (select own.id from conversations own where own.tenant_id = $50 and own.end_user_id = any($51::uuid[])) or stream_id = any($52::uuid[]))) as events;

-- packages/server/src/support/data/erasure/queries.ts: countRows
select
    (select count(*) from end_users where tenant_id = $1 and id = any($2::uuid[])) as end_users,
    (select count(*) from end_user_addresses where tenant_id = $3 and end_user_id = any($4::uuid[])) as end_user_addresses,
    (select count(*) from company_members where tenant_id = $5 and end_user_id = any($6::uuid[])) as company_members,
    (select count(*) from end_user_sessions where tenant_id = $7 and end_user_id = any($8::uuid[])) as end_user_sessions,
    (select count(*) from conversations where tenant_id = $9 and end_user_id = any($10::uuid[])) as conversations,
    (select count(*) from conversation_participants where tenant_id = $11 and end_user_id = any($12::uuid[])) as conversation_participants,
    (select count(*) from inbound_emails where tenant_id = $13 and kept <> 'none' and end_user_id = any($14::uuid[])) as inbound_emails,
    (select count(*) from email_senders where tenant_id = $15 and end_user_id = any($16::uuid[])) as email_senders,
    (select count(*) from conversation_holds where tenant_id = $17 and conversation_id in (select own.id from conversations own where own.tenant_id = $18 and own.end_user_id = any($19::uuid[]))) as conversation_holds,
    (select count(*) from scheduled_messages where tenant_id = $20 and conversation_id in (select own.id from conversations own where own.tenant_id = $21 and own.end_user_id = any($22::uuid[]))) as scheduled_messages,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $23 and own.end_user_id = any($24::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $25 and shared.end_user_id = any($26::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $27 and former.end_user_id = any($28::uuid[])) part join messages m on m.tenant_id = $29 and m.conversation_id = part.id where (part.is_own or m.author_end_user_id = any($30::uuid[]))) as messages,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $31 and own.end_user_id = any($32::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $33 and shared.end_user_id = any($34::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $35 and former.end_user_id = any($36::uuid[])) part join messages m on m.tenant_id = $37 and m.conversation_id = part.id join message_revisions r on r.tenant_id = $38 and r.message_id = m.id where (part.is_own or m.author_end_user_id = any($39::uuid[]))) as message_revisions,
    (select count(*) from (select own.id, true as is_own from conversations own
      where own.tenant_id = $40 and own.end_user_id = any($41::uuid[])
    union select shared.conversation_id, false from conversation_participants shared
      where shared.tenant_id = $42 and shared.end_user_id = any($43::uuid[])
    union select former.conversation_id, false from former_participants former
      where former.tenant_id = $44 and former.end_user_id = any($45::uuid[])) part join messages m on m.tenant_id = $46 and m.conversation_id = part.id join message_files u on u.tenant_id = $47 and u.message_id = m.id where (part.is_own or m.author_end_user_id = any($48::uuid[]))) as message_files,
    (select count(*) from events where tenant_id = $49 and (stream_id in (select own.id from conversations own where own.tenant_id = $50 and own.end_user_id = any($51::uuid[])) or stream_id = any($52::uuid[]))) as events;

-- packages/server/src/support/data/erasure/queries.ts: countSenders
select count(*) from email_senders
    where tenant_id = $1 and end_user_id = any($2::uuid[]);

-- packages/server/src/support/data/erasure/queries.ts: countVotes
select count(*) from votes where tenant_id = $1
    and subject_id = any($2::uuid[]) and external_user_id = any($3::text[]);

-- packages/server/src/support/data/erasure/queries.ts: deleteVotes
with w0 as (delete from votes where tenant_id = $1
    and subject_id = any($2::uuid[]) and external_user_id = any($3::text[]) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/data/erasure/queries.ts: emptyChanges
with g0 as (update jobs set status = $1, params = $2, state = $3, done = $4, total = $5, failed = $6, result = $7, error = $8, started_at = $9, ended_at = $10, expires_at = $11, updated_at = $12, version = $13, attempts = $14 where tenant_id = $15 and id = $16 and version = $17 returning 1), w0 as (update job_results set changes = null from unnest($18::uuid[], $19::integer[]) as v (job_id, place)
    where job_results.tenant_id = $20 and job_results.job_id = v.job_id and job_results.place = v.place returning 1) select 1 / ((select count(*) from g0) = $21::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/data/erasure/queries.ts: endParticipations
with g0 as (select 1 from end_users where tenant_id = $1 and id = $2 and version = $3 for share), w0 as (insert into erasures (tenant_id, id, end_user_id, mode, counts, audit_head_before, audit_head_after, exports, completed_at, sha256, created_at, updated_at, version) values ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) returning 1), w1 as (delete from former_participants where tenant_id = $17 and end_user_id = any($18::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $19::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/data/erasure/queries.ts: jobsNaming
select id, status, created_at from jobs where tenant_id = $1
    and type not in ('erasure', 'person_export')
    and exists (select 1 from jsonb_path_query(params::jsonb, 'strict $.**') value
      where jsonb_typeof(value) = 'string' and lower(translate(value #>> '{}', 'Σςİ', 'σσi')) = any($2::text[]));

-- packages/server/src/support/data/erasure/queries.ts: jobsWithFiles
select id from jobs where tenant_id = $1 and type = $2
    and (ended_at is null or (status = 'succeeded' and expires_at > $3)) order by id desc limit 1000;

-- packages/server/src/support/data/erasure/queries.ts: lastErasure
select status, state from jobs where tenant_id = $1 and type = 'erasure' and not dry_run
    and params ->> 'end_user_id' = any($2::text[]) order by id desc limit 1;

-- packages/server/src/support/data/erasure/queries.ts: mailAddressesOf
select own.address from (
      select held.address collate "C" as address from end_user_addresses held where held.tenant_id = $1
        and held.kind = 'email' and held.end_user_id = any($2::uuid[])
      union select sender.address from email_senders sender
        where sender.tenant_id = $3 and sender.end_user_id = any($4::uuid[])
      union select part.address collate "C" from conversation_participants part
        where part.tenant_id = $5 and part.end_user_id = any($6::uuid[]) and part.address is not null) own
    where not exists (select 1 from end_user_addresses o where o.tenant_id = $7 and o.kind = 'email'
        and o.address = own.address and o.end_user_id <> all($8::uuid[]))
      and not exists (select 1 from email_senders s where s.tenant_id = $9 and s.address = own.address
        and s.end_user_id <> all($10::uuid[]))
      and not exists (select 1 from operators p where p.tenant_id = $11 and p.email_key = own.address)
      and not exists (select 1 from mailbox_addresses b where b.tenant_id = $12 and b.address = own.address);

-- packages/server/src/support/data/erasure/queries.ts: namedByText
select id from (
      (select id from conversations where tenant_id = $1 and end_user_id is null
        and external_user_id = any($2::text[]) limit $3)
      union all (select id from conversations where tenant_id = $4 and end_user_id = any($5::uuid[])
        and external_user_id is not null limit $6)) named limit $7;

-- packages/server/src/support/data/erasure/queries.ts: nextConversations
select all_of.id, bool_or(all_of.is_own) as is_own, bool_or(all_of.sees) as sees
    from unnest($1::uuid[]) as person (id) cross join lateral (
      (select own.id, true as is_own, true as sees from conversations own
        where own.tenant_id = $2 and own.end_user_id = person.id order by own.id limit 10)
      union all (select shared.conversation_id, false, true from conversation_participants shared
        where shared.tenant_id = $3 and shared.end_user_id = person.id order by shared.conversation_id limit 10)
      union all (select mailed.conversation_id, false, false from inbound_emails mailed
        where mailed.tenant_id = $4 and mailed.end_user_id = person.id and mailed.conversation_id is not null order by mailed.conversation_id limit 10)
      union all (select former.conversation_id, false, false from former_participants former
        where former.tenant_id = $5 and former.end_user_id = person.id order by former.conversation_id limit 10)) all_of
    group by all_of.id order by all_of.id limit $6;

-- packages/server/src/support/data/erasure/queries.ts: nextMailsOf
select id from inbound_emails where tenant_id = $1 and end_user_id = any($2::uuid[])
    and kept <> 'none' order by id limit $3;

-- packages/server/src/support/data/erasure/queries.ts: nextPreviews
select r.job_id, r.place from jobs j
    join job_results r on r.tenant_id = $1 and r.job_id = j.id
    where j.tenant_id = $2 and j.type = 'bulk' and j.dry_run and r.changes is not null
    order by r.job_id, r.place limit $3;

-- packages/server/src/support/data/erasure/queries.ts: nextPreviews
select r.job_id, r.place from jobs j
    join job_results r on r.tenant_id = $1 and r.job_id = j.id
    where j.tenant_id = $2 and j.type = 'bulk' and j.dry_run and r.changes is not null and (r.job_id, r.place) > ($3::uuid, $4::integer)
    order by r.job_id, r.place limit $5;

-- packages/server/src/support/data/erasure/queries.ts: nextSessions
select id from end_user_sessions
    where tenant_id = $1 and end_user_id = any($2::uuid[]) order by id limit $3;

-- packages/server/src/support/data/erasure/queries.ts: nextSubjects
select subject_id from vote_counts
    where tenant_id = $1 and subject_id > $2 order by subject_id limit $3;

-- packages/server/src/support/data/erasure/queries.ts: nextSubjects
select subject_id from vote_counts
    where tenant_id = $1 order by subject_id limit $2;

-- packages/server/src/support/data/erasure/queries.ts: nextUnassigned
select id from inbound_emails where tenant_id = $1 and from_address = any($2::text[])
    and end_user_id is null and kept <> 'none' and status <> 'received'
    order by id limit $3;

-- packages/server/src/support/data/erasure/queries.ts: ownAmong
select id from conversations where tenant_id = $1
    and id = any($2::uuid[]) and end_user_id = any($3::uuid[]);

-- packages/server/src/support/data/erasure/queries.ts: publishableKeys
select id from api_keys where tenant_id = $1 and kind = 'publishable';

-- packages/server/src/support/data/erasure/queries.ts: suppressionsOf
select id from email_suppressions where tenant_id = $1 and address = any($2::text[]);

-- packages/server/src/support/data/erasure/queries.ts: unname
with w0 as (update conversations set end_user_id = coalesce(conversations.end_user_id, $1::uuid), external_user_id = null
    where tenant_id = $2 and id = any($3::uuid[]) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/data/erasure/queries.ts: unusedFiles
select id from files where tenant_id = $1
    and end_user_id = any($2::uuid[]) and use_count = 0 limit $3;

-- packages/server/src/support/data/erasure/queries.ts: writtenAmong
select m.id from messages m
    left join conversations c on c.tenant_id = $1 and c.id = m.conversation_id
    where m.tenant_id = $2 and m.id = any($3::uuid[]) and (m.author_end_user_id = any($4::uuid[])
      or (m.author_side = 'end_user' and m.author_end_user_id is null and c.end_user_id = any($5::uuid[]))
      or (m.author_side = 'system' and m.id in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = $6 and mailed.end_user_id = any($7::uuid[]) and mailed.message_id is not null)));

-- packages/server/src/support/data/imports/queries.ts: conversationsOfMessages
select id, conversation_id from messages where tenant_id = $1 and id = any($2::uuid[]);

-- packages/server/src/support/data/imports/queries.ts: findCategoryByName
select id from categories where tenant_id = $1
    and parent_id is not distinct from $2::uuid and name_key = $3;

-- packages/server/src/support/data/imports/queries.ts: findCollectionByName
select id from kb_collections where tenant_id = $1
    and parent_id is not distinct from $2::uuid and name_key = $3;

-- packages/server/src/support/data/imports/queries.ts: findDepartmentByName
select id from departments where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/data/imports/queries.ts: knownObjects
select external_id, source, object_id from import_mappings
        where tenant_id = $1 and type = $2 and external_id = any($3::text[]);

-- packages/server/src/support/data/imports/queries.ts: linkConversations
with g0 as (update conversations set follow_up_of_id = v.follow_up_of_id, merged_into_id = v.merged_into_id, version = v.version
    from (values ($1::uuid, $2::integer, $3::uuid, $4::uuid)) as v (id, version, follow_up_of_id, merged_into_id) where conversations.tenant_id = $5 and conversations.id = v.id
      and conversations.version = v.version - 1 returning 1), g1 as (update jobs set status = $6, params = $7, state = $8, done = $9, total = $10, failed = $11, result = $12, error = $13, started_at = $14, ended_at = $15, expires_at = $16, updated_at = $17, version = $18, attempts = $19 where tenant_id = $20 and id = $21 and version = $22 returning 1), w0 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $23::uuid, job_id, place, status, object_id, errors, changes from (values ($24::uuid, $25::integer, $26::text, $27::text, $28::json, $29::json)) as v (job_id, place, status, object_id, errors, changes) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $30::bigint) + $31::bigint
    where tenant_id = $32 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $33::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($34::uuid, $35::text, $36::timestamptz, $37::uuid, $38::text, $39::uuid, $40::integer, $41::text, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::json, $49::json, $50::json, $51::text, $52::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $53::bigint)::integer / ((select count(*) from g1) = $54::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $55::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/data/imports/queries.ts: natives
select external_id, id from companies where tenant_id = $1 and external_id = any($2::text[]);

-- packages/server/src/support/data/imports/queries.ts: natives
select external_id, id from conversations where tenant_id = $1 and external_id = any($2::text[]);

-- packages/server/src/support/data/imports/queries.ts: natives
select external_id, id from end_users where tenant_id = $1 and external_id = any($2::text[]);

-- packages/server/src/support/data/imports/queries.ts: natives
select external_id, id from messages where tenant_id = $1 and external_id = any($2::text[])
      union select external_id, message_id from message_external_ids
      where tenant_id = $3 and external_id = any($4::text[]);

-- packages/server/src/support/data/imports/queries.ts: natives
select external_id, id from operators where tenant_id = $1 and external_id = any($2::text[]);

-- packages/server/src/support/data/imports/queries.ts: replaceMappings
update import_mappings set object_id = v.object_id from (values ($1::text, $2::text, $3::text, $4::uuid)) as v (type, external_id, source, object_id)
    where import_mappings.tenant_id = $5 and import_mappings.type = v.type
      and import_mappings.external_id = v.external_id and import_mappings.source = v.source;

-- packages/server/src/support/data/imports/queries.ts: toldLines
select place from job_results
    where tenant_id = $1 and job_id = $2 and place = any($3::integer[]);

-- packages/server/src/support/data/retention/queries.ts: findPolicyByName
select id from retention_policies where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/data/retention/queries.ts: heldAmong
select id from end_users
    where tenant_id = $1 and id = any($2::uuid[]) and legal_hold_since is not null;

-- packages/server/src/support/desk/conversations/assigning/queries.ts: findAssignmentRules
select coalesce((select generation from assignment_rule_generations where tenant_id = $1), 0) as generation, e.claim_order as "claimOrder",
      e.reply_assigns as "replyAssigns",
      array(select id from departments where tenant_id = $2 and departments.reply_assigns) as "replyAssignsIn"
    from environments e where e.id = $3;

-- packages/server/src/support/desk/conversations/assigning/queries.ts: raiseGeneration
with c0 as (insert into assignment_rule_generations (tenant_id, generation) values ($1, 1)
    on conflict (tenant_id) do update set generation = assignment_rule_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $2::bigint) + $3::bigint
    where tenant_id = $4 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $5::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($6::uuid, $7::text, $8::timestamptz, $9::uuid, $10::text, $11::uuid, $12::integer, $13::text, $14::text, $15::text, $16::text, $17::text, $18::text, $19::text, $20::json, $21::json, $22::json, $23::text, $24::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from c0) = $25::bigint)::integer / ((select count(*) from head) = $26::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/claiming/queries.ts: firstByUrgency
select id, version from ((select id, version, priority, sla_due_at, waiting_since
    from conversations where tenant_id = $1 and assignee_id is null and waiting_on = 'operator' and status = 'new' and true
    order by array_position($2::text[], priority), coalesce(sla_due_at, 'infinity'), waiting_since, id limit 1) union all (select id, version, priority, sla_due_at, waiting_since
    from conversations where tenant_id = $3 and assignee_id is null and waiting_on = 'operator' and status = 'open' and true
    order by array_position($4::text[], priority), coalesce(sla_due_at, 'infinity'), waiting_since, id limit 1)) firsts
      order by array_position($5::text[], priority), coalesce(sla_due_at, 'infinity'), waiting_since, id limit 1;

-- packages/server/src/support/desk/conversations/claiming/queries.ts: longestWaiting
select id, version from ((select id, version, waiting_since from conversations
    where tenant_id = $1 and assignee_id is null and waiting_on = 'operator' and department_id is not null and (department_id, status, id) > ($2::uuid, 'new', $3::uuid) and (department_id, status, id) < ($4::uuid, 'new', $5::uuid) order by department_id, status, id limit 1) union all (select id, version, waiting_since from conversations
    where tenant_id = $6 and assignee_id is null and waiting_on = 'operator' and status = 'open' and department_id = $7 order by waiting_since, id limit 1)) firsts order by waiting_since, id limit 1;

-- packages/server/src/support/desk/conversations/claiming/queries.ts: longestWaiting
select id, version from ((select id, version, waiting_since from conversations
    where tenant_id = $1 and assignee_id is null and waiting_on = 'operator' and true and (status, coalesce(sla_due_at, 'infinity'), id) > ('new', 'infinity', $2::uuid) and (status, coalesce(sla_due_at, 'infinity'), id) < ('new', 'infinity', $3::uuid) order by status, coalesce(sla_due_at, 'infinity'), id limit 1) union all (select id, version, waiting_since from conversations
    where tenant_id = $4 and assignee_id is null and waiting_on = 'operator' and sla_due_at is not null and (status, id) > ('new', $5::uuid) and (status, id) < ('new', $6::uuid) order by status, id limit 1) union all (select id, version, waiting_since from conversations
    where tenant_id = $7 and assignee_id is null and waiting_on = 'operator' and status = 'open' and department_id is null order by waiting_since, id limit 1) union all select c.* from departments d cross join lateral (select id, version, waiting_since from conversations
    where tenant_id = $8 and assignee_id is null and waiting_on = 'operator' and status = 'open' and department_id = d.id order by waiting_since, id limit 1) c where d.tenant_id = $9) firsts order by waiting_since, id limit 1;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: findRemoval
select kind, after_sequence, file_ids, stream_ids, epoch, position, ordinal, part
    from conversation_removals where tenant_id = $1 and conversation_id = $2;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: insertDeletion
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $4::uuid, duty, subject_id, due_at, retry_at from unnest($5::text[], $6::uuid[], $7::timestamptz[], $8::timestamptz[]) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), f2 as (delete from due_work using unnest($9::text[], $10::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $11 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), g0 as (delete from conversations where tenant_id = $12 and id = $13 and version = $14 returning 1), g1 as (select 1 from end_users where tenant_id = $15 and id = $16 and version = $17 for share), w0 as (insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    select $18::uuid, $19::uuid, 'delete', 0,
      array(select uses.file_id from message_files uses where uses.tenant_id = $20
        and uses.message_id in (select sent.id from messages sent where sent.tenant_id = $21 and sent.conversation_id = $22
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $23 and scheduled.conversation_id = $24) order by uses.file_id),
      array[$25::uuid], 0
    on conflict (tenant_id, conversation_id) do update set kind = 'delete',
      file_ids = conversation_removals.file_ids || excluded.file_ids,
      stream_ids = excluded.stream_ids || conversation_removals.stream_ids,
      epoch = null, position = null, ordinal = null, part = conversation_removals.part + 1 returning 1), w1 as (delete from message_files where message_files.tenant_id = $26
    and message_files.message_id in (select sent.id from messages sent where sent.tenant_id = $27 and sent.conversation_id = $28
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $29 and scheduled.conversation_id = $30) returning 1), w2 as (delete from message_revisions where message_revisions.tenant_id = $31
    and message_revisions.message_id in (select sent.id from messages sent where sent.tenant_id = $32 and sent.conversation_id = $33
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $34 and scheduled.conversation_id = $35) returning 1), w3 as (delete from message_external_ids where message_external_ids.tenant_id = $36
    and message_external_ids.external_id in (
      select sent.external_id from messages sent where sent.tenant_id = $37
        and sent.conversation_id = $38 and sent.external_id is not null
      union all select scheduled.external_id from scheduled_messages scheduled where scheduled.tenant_id = $39
        and scheduled.conversation_id = $40 and scheduled.external_id is not null) returning 1), w4 as (delete from import_mappings where import_mappings.tenant_id = $41 and import_mappings.type = 'message'
    and import_mappings.external_id in (select sent.external_id from messages sent where sent.tenant_id = $42
      and sent.conversation_id = $43 and sent.external_id is not null)
    and import_mappings.object_id in (select sent.id from messages sent where sent.tenant_id = $44 and sent.conversation_id = $45
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $46 and scheduled.conversation_id = $47) returning 1), w5 as (delete from import_mappings where import_mappings.tenant_id = $48 and import_mappings.type = 'conversation'
    and import_mappings.external_id in (select own.external_id from conversations own where own.tenant_id = $49
      and own.id = $50 and own.external_id is not null)
    and import_mappings.object_id = $51 returning 1), w6 as (delete from scheduled_messages where tenant_id = $52 and conversation_id = $53 returning 1), w7 as (delete from messages where tenant_id = $54 and conversation_id = $55 returning 1), w8 as (delete from conversation_holds where tenant_id = $56 and conversation_id = $57 returning 1), w9 as (delete from read_states where tenant_id = $58 and conversation_id = $59 returning 1), w10 as (delete from conversation_moments where tenant_id = $60 and conversation_id = $61 returning 1), w11 as (delete from followers where tenant_id = $62 and conversation_id = $63 returning 1), w12 as (delete from notifications where tenant_id = $64 and conversation_id = $65 returning 1), w13 as (delete from email_contents where email_contents.tenant_id = $66 and email_contents.message_id in (
    select sent.id from messages sent where sent.tenant_id = $67 and sent.conversation_id = $68) returning 1), w14 as (delete from outgoing_emails where outgoing_emails.tenant_id = $69 and outgoing_emails.message_id in (
    select sent.id from messages sent where sent.tenant_id = $70 and sent.conversation_id = $71) returning 1), w15 as (delete from email_references where tenant_id = $72 and conversation_id = $73 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $74::bigint) + $75::bigint
    where tenant_id = $76 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $77::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($78::uuid, $79::text, $80::timestamptz, $81::uuid, $82::text, $83::uuid, $84::integer, $85::text, $86::text, $87::text, $88::text, $89::text, $90::text, $91::text, $92::json, $93::json, $94::json, $95::text, $96::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from f2) >= 0)::integer / ((select count(*) from g0) = $97::bigint)::integer / ((select count(*) from g1) = $98::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from w8) >= 0)::integer / ((select count(*) from w9) >= 0)::integer / ((select count(*) from w10) >= 0)::integer / ((select count(*) from w11) >= 0)::integer / ((select count(*) from w12) >= 0)::integer / ((select count(*) from w13) >= 0)::integer / ((select count(*) from w14) >= 0)::integer / ((select count(*) from w15) >= 0)::integer / ((select count(*) from head) = $99::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: insertRemoval
with f0 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from unnest($2::text[], $3::uuid[], $4::timestamptz[], $5::timestamptz[]) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), f1 as (select 1 from (select 1 from due_work, unnest($6::text[], $7::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $8 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f2 as (delete from due_work using (values ($9::text, $10::uuid)) as v (duty, subject_id) where due_work.tenant_id = $11 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), g0 as (select 1 from conversations where tenant_id = $12 and (id, version) in (($13::uuid, $14::integer), ($15::uuid, $16::integer)) for share), g1 as (select 1 from end_users where tenant_id = $17 and id = $18 and version = $19 for share), g2 as (update jobs set status = $20, params = $21, state = $22, done = $23, total = $24, failed = $25, result = $26, error = $27, started_at = $28, ended_at = $29, expires_at = $30, updated_at = $31, version = $32, attempts = $33 where tenant_id = $34 and id = $35 and version = $36 returning 1), w0 as (insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    values ($37, $38, $39, 0, '{}', array[$40::uuid], 0)
    on conflict (tenant_id, conversation_id) do nothing returning 1), w1 as (insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    values ($41, $42, $43, 0, '{}', array[$44::uuid], 0)
    on conflict (tenant_id, conversation_id) do nothing returning 1), w2 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $45::uuid, job_id, place, status, object_id, errors, changes from unnest($46::uuid[], $47::integer[], $48::text[], $49::text[], $50::json[], $51::json[]) as v (job_id, place, status, object_id, errors, changes) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $52::bigint) + $53::bigint
    where tenant_id = $54 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $55::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($56::uuid, $57::text, $58::timestamptz, $59::uuid, $60::text, $61::uuid, $62::integer, $63::text, $64::text, $65::text, $66::text, $67::text, $68::text, $69::text, $70::json, $71::json, $72::json, $73::text, $74::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from f2) >= 0)::integer / ((select count(*) from g0) = $75::bigint)::integer / ((select count(*) from g1) = $76::bigint)::integer / ((select count(*) from g2) = $77::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $78::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: messageIds
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, object::text, previous::text, related::text, ip, user_agent, audited, erased::text from events
    where tenant_id = $1 and stream_id = any($2::uuid[]) and resource_type = $3
      and resource_id in (select sent.id from messages sent where sent.tenant_id = $4 and sent.conversation_id = $5
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $6 and scheduled.conversation_id = $7) order by events.epoch, events.position, events.ordinal;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: scheduledIds
select id from scheduled_messages
    where tenant_id = $1 and conversation_id = $2 limit $3;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: updateRemovals
with g0 as (update due_work set due_at = v.next, appointment = v.appointment + 1, attempts = 0, retry_at = v.retry_at
    from (values ($1::text, $2::uuid, $3::integer, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, appointment, next, retry_at)
    where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update messages set body = $7, metadata = $8, edited_at = $9, redacted_at = $10, updated_at = $11, version = $12, attachments = $13, body_html = $14, email = $15, delivery = $16, mentions = $17, search = array_to_tsvector($18::text[]) where tenant_id = $19 and id = $20 and version = $21 returning 1), g2 as (update conversation_removals set after_sequence = v.after_sequence,
      file_ids = array(select jsonb_array_elements_text(v.file_ids::jsonb))::uuid[], stream_ids = array(select jsonb_array_elements_text(v.stream_ids::jsonb))::uuid[],
      epoch = v.epoch, position = v.position::xid8, ordinal = v.ordinal, part = v.part + 1
    from (values ($22::uuid, $23::integer, $24::integer, $25::text, $26::text, $27::integer, $28::text, $29::integer)) as v (conversation_id, part, after_sequence, file_ids, stream_ids, epoch, position, ordinal) where conversation_removals.tenant_id = $30
  and conversation_removals.conversation_id = v.conversation_id and conversation_removals.part = v.part returning 1), w0 as (delete from message_revisions where tenant_id = $31 and message_id = any($32::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $33::bigint)::integer / ((select count(*) from g1) = $34::bigint)::integer / ((select count(*) from g2) = $35::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/desk/conversations/deleting/queries.ts: withSomethingToDo
select c.id from unnest($1::uuid[]) as c (id)
    where exists (select 1 from messages m where m.tenant_id = $2 and m.conversation_id = c.id and m.attachments is not null and exists (select 1 from message_files uses
          where uses.tenant_id = $3 and uses.message_id = m.id));

-- packages/server/src/support/desk/conversations/deleting/queries.ts: withSomethingToDo
select c.id from unnest($1::uuid[]) as c (id)
    where exists (select 1 from messages m where m.tenant_id = $2 and m.conversation_id = c.id and m.redacted_at is null);

-- packages/server/src/support/desk/conversations/finding/events.ts: eventsOfConversations
select e.id, e.created_at, e.stream_id as conversation_id, e.resource_type <> 'conversation' as is_message,
      case when e.type = 'conversation.deleted' then null when e.resource_type = 'conversation' then e.object else conversation.object end as shown,
      message.sequence, message.created_at as message_at, message.public_at
    from unnest($1::integer[], $2::text[], $3::integer[]) as v (epoch, position, ordinal)
    cross join lateral (select * from events where events.tenant_id = $4 and events.epoch = v.epoch
      and events.position = v.position::xid8 and events.ordinal = v.ordinal limit 1) e
    left join lateral (select near.object from (select object, resource_type from events
    where events.tenant_id = $5 and events.stream_id = e.stream_id
      and (events.epoch, events.position, events.ordinal) <= (e.epoch, e.position, e.ordinal)
    order by events.epoch desc, events.position desc, events.ordinal desc limit $6) near
      where e.resource_type <> 'conversation' and near.resource_type = 'conversation' limit 1) conversation on true
    left join lateral (select max((near.object ->> 'sequence')::integer) as sequence, max(near.created_at) as created_at,
        max(near.created_at) filter (where near.object ->> 'visibility' = 'public') as public_at
      from (select object, type, created_at from events
    where events.tenant_id = $7 and events.stream_id = e.stream_id
      and (events.epoch, events.position, events.ordinal) <= (e.epoch, e.position, e.ordinal)
    order by events.epoch desc, events.position desc, events.ordinal desc limit $8) near
      where e.resource_type <> 'conversation' and near.type = 'message.created') message on true;

-- packages/server/src/support/desk/conversations/finding/events.ts: namesakesOfTags
select named.name_key as key, also.name from tags named
    join tags also on also.tenant_id = $1 and (also.id = coalesce(named.merged_into_id, named.id)
      or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = $2 and named.name_key = any($3::text[]);

-- packages/server/src/support/desk/conversations/finding/events.ts: peopleOfEvents
select named.id as named, person.verified_at is not null as verified,
      case when person.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(person.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields,
      array(select known.address from end_user_addresses known where known.tenant_id = $2 and known.kind = 'email'
        and known.end_user_id = person.id) as emails,
      array(select person.id union all select alias.id from end_users alias
        where alias.tenant_id = $3 and alias.merged_into_id = person.id) as ids,
      array(select one.external_id from (select person.external_id union all select alias.external_id from end_users alias
        where alias.tenant_id = $4 and alias.merged_into_id = person.id) one where one.external_id is not null) as external_ids
    from unnest($5::uuid[]) named (id)
    cross join lateral (select stored.* from end_users stored where stored.tenant_id = $6 and stored.id = named.id limit 1) stored
    cross join lateral (select target.* from end_users target where target.tenant_id = $7
      and target.id = coalesce(stored.merged_into_id, stored.id) limit 1) person;

-- packages/server/src/support/desk/conversations/finding/fields.ts: conversationFieldTable
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from ((select used.conversation_id as id from tags named join tags also on also.tenant_id = $1
            and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
          join conversation_tags used on used.tenant_id = $2 and used.tag_id = also.id
          where named.tenant_id = $3 and named.name_key = $4) union all (select id from conversations where tenant_id = $5 and (priority = any($6::text[]) and priority <> $7))) candidate limit $8) few;

-- packages/server/src/support/desk/conversations/finding/groups.ts: groupsOf
select assignee_id as id, count(*) as count, min(waiting_since) as waiting_since
      from conversations where tenant_id = $1 and status = any($2::text[]) and assignee_id is null group by 1 order by 1;

-- packages/server/src/support/desk/conversations/finding/queries.ts: conversationsOf
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from ((select c.id from end_users found
    join end_users target on target.tenant_id = $1 and target.id = coalesce(found.merged_into_id, found.id)
    cross join lateral (select target.id union all select alias.id from end_users alias
      where alias.tenant_id = $2 and alias.merged_into_id = target.id) one (id)
    join conversations c on c.tenant_id = $3 and c.end_user_id = one.id
    where found.tenant_id = $4 and found.id in (select id from end_users where tenant_id = $5 and external_id = any($6::text[])) union all select id from conversations
          where tenant_id = $7 and end_user_id is null and external_user_id = any($8::text[])) union all (select used.conversation_id as id from tags named join tags also on also.tenant_id = $9
            and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
          join conversation_tags used on used.tenant_id = $10 and used.tag_id = also.id
          where named.tenant_id = $11 and named.name_key = $12)) candidate limit $13) few;

-- packages/server/src/support/desk/conversations/finding/queries.ts: conversationsOf
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select c.id from end_users found
    join end_users target on target.tenant_id = $1 and target.id = coalesce(found.merged_into_id, found.id)
    cross join lateral (select target.id union all select alias.id from end_users alias
      where alias.tenant_id = $2 and alias.merged_into_id = target.id) one (id)
    join conversations c on c.tenant_id = $3 and c.end_user_id = one.id
    where found.tenant_id = $4 and found.id in (select subject_id as id from custom_field_values
      where tenant_id = $5 and field_id = $6 and (value = any($7::text[])))) candidate limit $8) few;

-- packages/server/src/support/desk/conversations/finding/queries.ts: perhapsBreachedSince
select assignee_id as id, count(*) as count, min(waiting_since) as waiting_since
      from conversations where tenant_id = $1 and id in (select id from conversations where tenant_id = $2 and updated_at >= $3::timestamptz
    union all select id from conversations where tenant_id = $4 and coalesce(sla_due_at, 'infinity') <= $5) and coalesce(greatest(case when case when (conversations.sla -> $6::text) ->> 'target' is null then null
    when ((conversations.sla -> $7::text) ->> 'breached_at' is not null or ((conversations.sla -> $8::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $9::text) ->> 'due_at')::float8 <= extract(epoch from $10::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $11::text) ->> 'phase' end = 'breached'
    then to_timestamp(coalesce(((conversations.sla -> $12::text) ->> 'breached_at')::float8, ((conversations.sla -> $13::text) ->> 'due_at')::float8) / 1000) end, case when case when (conversations.sla -> $14::text) ->> 'target' is null then null
    when ((conversations.sla -> $15::text) ->> 'breached_at' is not null or ((conversations.sla -> $16::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $17::text) ->> 'due_at')::float8 <= extract(epoch from $18::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $19::text) ->> 'phase' end = 'breached'
    then to_timestamp(coalesce(((conversations.sla -> $20::text) ->> 'breached_at')::float8, ((conversations.sla -> $21::text) ->> 'due_at')::float8) / 1000) end, case when case when (conversations.sla -> $22::text) ->> 'target' is null then null
    when ((conversations.sla -> $23::text) ->> 'breached_at' is not null or ((conversations.sla -> $24::text) ->> 'phase' = 'running'
    and ((conversations.sla -> $25::text) ->> 'due_at')::float8 <= extract(epoch from $26::timestamptz) * 1000)) then 'breached' else (conversations.sla -> $27::text) ->> 'phase' end = 'breached'
    then to_timestamp(coalesce(((conversations.sla -> $28::text) ->> 'breached_at')::float8, ((conversations.sla -> $29::text) ->> 'due_at')::float8) / 1000) end) >= $30::timestamptz, false) group by 1 order by 1;

-- packages/server/src/support/desk/conversations/finding/queries.ts: perhapsBreachedSince
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select id from conversations where tenant_id = $1 and updated_at >= $2::timestamptz
    union all select id from conversations where tenant_id = $3 and coalesce(sla_due_at, 'infinity') <= $4) candidate limit $5) few;

-- packages/server/src/support/desk/conversations/finding/words.ts: askIndex
with said as materialized (select conversation_id as id from messages where tenant_id = $1 and search @@ $2::tsquery),
      titled as materialized (select id as id from conversations where tenant_id = $3 and search @@ $4::tsquery),
      people as materialized (select id as id from end_users where tenant_id = $5 and search @@ $6::tsquery),
      written as materialized (select c.id from (
      with found as materialized (select id from people)
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = $7 and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = $8 and c.end_user_id = person.id), complete as materialized (select ((select count(*) from (select * from said limit $9::integer) first) < $10::integer and (select count(*) from (select * from titled limit $11::integer) first) < $12::integer and (select count(*) from (select * from written limit $13::integer) first) < $14::integer) as "all"), found as materialized (
        select conversations.id, conversations.version, row_number() over (order by id desc) as place from conversations
          where (select "all" from complete) and tenant_id = $15 and id = any(array(select id from (select * from said limit $16::integer) first union
      select id from (select * from titled limit $17::integer) first union select id from (select * from written limit $18::integer) first))
          order by id desc limit $19)
      select complete."all", found.* from complete left join found on true order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: askIndex
with said as materialized (select conversation_id as id, search from messages where tenant_id = $1 and search @@ $2::tsquery),
      titled as materialized (select id as id, search from conversations where tenant_id = $3 and search @@ $4::tsquery),
      people as materialized (select id as id, search from end_users where tenant_id = $5 and search @@ $6::tsquery),
      written as materialized (select c.id from (
      with found as materialized (select id from (select * from people limit $7::integer) first where search @@ $8::tsquery)
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = $9 and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = $10 and c.end_user_id = person.id), complete as materialized (select ((select count(*) from (select * from said limit $11::integer) first) < $12::integer and (select count(*) from (select * from titled limit $13::integer) first) < $14::integer and (select count(*) from (select * from written limit $15::integer) first) < $16::integer and (select count(*) from (select * from people limit $17::integer) first) < $18::integer) as "all"), found as materialized (
        select conversations.id, conversations.version, row_number() over (order by id desc) as place from conversations
          where (select "all" from complete) and tenant_id = $19 and id = any(array(select id from (select * from said limit $20::integer) first where search @@ $21::tsquery union
      select id from (select * from titled limit $22::integer) first where search @@ $23::tsquery union select id from (select * from written limit $24::integer) first))
          order by id desc limit $25)
      select complete."all", found.* from complete left join found on true order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: inOrder
select conversations.id from conversations where conversations.tenant_id = $1 and end_user_id = $2 order by id limit 1000;

-- packages/server/src/support/desk/conversations/finding/words.ts: matchesEach
with found as materialized (select conversations.id, conversations.version, place from (select conversations.*, row_number() over () as place from (select conversations.* from conversations where tenant_id = $1
    order by id desc limit $2) conversations) conversations
        where place > $3 or (search @@ $4::tsquery or coalesce((select true from messages said where said.tenant_id = $5
    and said.conversation_id = conversations.id and said.search @@ $6::tsquery limit 1), false)
  or coalesce((select case when stored.merged_into_id is null then stored.search else (select target.search
      from end_users target where target.tenant_id = $7 and target.id = stored.merged_into_id) end @@ $8::tsquery
    from end_users stored where stored.tenant_id = $9 and stored.id = conversations.end_user_id), false)) limit $10)
      select * from found order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: matchesEach
with found as materialized (select conversations.id, conversations.version, place from (select conversations.*, row_number() over () as place from (select conversations.* from unnest($1::text[]) as walk (walked_status) cross join lateral (
    (select * from conversations where tenant_id = $2 and status = $3 and status = walked_status
      and coalesce(sla_due_at, 'infinity') = 'infinity' order by id desc limit 201)
    union all (select * from conversations where tenant_id = $4 and status = $5 and status = walked_status
      and sla_due_at is not null order by id desc limit 201)) conversations
    order by id desc limit $6) conversations) conversations
        where place > $7 or (search @@ $8::tsquery or coalesce((select true from messages said where said.tenant_id = $9
    and said.conversation_id = conversations.id and said.search @@ $10::tsquery limit 1), false)
  or coalesce((select case when stored.merged_into_id is null then stored.search else (select target.search
      from end_users target where target.tenant_id = $11 and target.id = stored.merged_into_id) end @@ $12::tsquery
    from end_users stored where stored.tenant_id = $13 and stored.id = conversations.end_user_id), false)) limit $14)
      select * from found order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: matchesEach
with found as materialized (select conversations.id, conversations.version, place from (select conversations.*, row_number() over () as place from (select conversations.* from unnest($1::text[]) as walk (walked_status) cross join lateral (
    select * from conversations where tenant_id = $2
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, $3::timestamptz, $4::uuid)
      and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity', $5::uuid)
    order by status, coalesce(sla_due_at, 'infinity'), id limit 201) conversations
    order by coalesce(sla_due_at, 'infinity'), id limit $6) conversations) conversations
        where place > $7 or (search @@ $8::tsquery or coalesce((select true from messages said where said.tenant_id = $9
    and said.conversation_id = conversations.id and said.search @@ $10::tsquery limit 1), false)
  or coalesce((select case when stored.merged_into_id is null then stored.search else (select target.search
      from end_users target where target.tenant_id = $11 and target.id = stored.merged_into_id) end @@ $12::tsquery
    from end_users stored where stored.tenant_id = $13 and stored.id = conversations.end_user_id), false)) limit $14)
      select * from found order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: matchesEach
with found as materialized (select conversations.id, conversations.version, place from (select conversations.*, row_number() over () as place from (select conversations.* from unnest($1::text[]) as walk (walked_status) cross join lateral (
    select * from conversations where tenant_id = $2 and (coalesce(sla_due_at, 'infinity'), id) > ($3, $4)
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, $5::timestamptz, $6::uuid)
      and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity', $7::uuid)
    order by status, coalesce(sla_due_at, 'infinity'), id limit 201) conversations
    order by coalesce(sla_due_at, 'infinity'), id limit $8) conversations) conversations
        where place > $9 or (search @@ $10::tsquery or coalesce((select true from messages said where said.tenant_id = $11
    and said.conversation_id = conversations.id and said.search @@ $12::tsquery limit 1), false)
  or coalesce((select case when stored.merged_into_id is null then stored.search else (select target.search
      from end_users target where target.tenant_id = $13 and target.id = stored.merged_into_id) end @@ $14::tsquery
    from end_users stored where stored.tenant_id = $15 and stored.id = conversations.end_user_id), false)) limit $16)
      select * from found order by place;

-- packages/server/src/support/desk/conversations/finding/words.ts: ofPeople
select conversations.id, conversations.version from conversations where tenant_id = $1 and id in (select id from conversations where tenant_id = $2 and search @@ $3::tsquery
    union select conversation_id from messages where tenant_id = $4 and search @@ $5::tsquery
    union select c.id from (
      with found as materialized (select id from end_users where tenant_id = $6 and search @@ $7::tsquery)
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = $8 and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = $9 and c.end_user_id = person.id)
      order by id desc limit $10;

-- packages/server/src/support/desk/conversations/finding/words.ts: ofPeople
select count(*) from (select 1 from conversations where conversations.tenant_id = $1 and id in (select id from conversations where tenant_id = $2 and search @@ $3::tsquery
    union select conversation_id from messages where tenant_id = $4 and search @@ $5::tsquery
    union select c.id from (
      with found as materialized (select id from end_users where tenant_id = $6 and search @@ $7::tsquery)
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = $8 and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = $9 and c.end_user_id = person.id) limit $10) found;

-- packages/server/src/support/desk/conversations/finding/words.ts: ofPeople
with said as materialized (select conversation_id as id from messages where tenant_id = $1 and search @@ $2::tsquery),
      titled as materialized (select id as id from conversations where tenant_id = $3 and search @@ $4::tsquery),
      people as materialized (select id as id from end_users where tenant_id = $5 and search @@ $6::tsquery),
      written as materialized (select c.id from (
      with found as materialized (select id from people)
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = $7 and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = $8 and c.end_user_id = person.id), found as materialized (
        select 1 from conversations where tenant_id = $9 and id = any(array(select id from (select * from said limit $10::integer) first union
      select id from (select * from titled limit $11::integer) first union select id from (select * from written limit $12::integer) first)) limit $13)
      select (select count(*) from found) as count, ((select count(*) from (select * from said limit $14::integer) first) < $15::integer and (select count(*) from (select * from titled limit $16::integer) first) < $17::integer and (select count(*) from (select * from written limit $18::integer) first) < $19::integer) as all;

-- packages/server/src/support/desk/conversations/followers/queries.ts: countFollowers
select count(*) from (select 1 from followers where tenant_id = $1 and conversation_id = $2 and removed_at is null limit $3) found;

-- packages/server/src/support/desk/conversations/followers/queries.ts: followAutomatically
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1), w0 as (delete from notification_readings where tenant_id = $9
    and (epoch, position, ordinal) <= ($10::integer, $11::text::xid8, $12::integer) returning 1), w1 as (insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select $13::uuid, conversation_id, operator_id, source, since, place from (values ($14::uuid, $15::uuid, $16::text, $17::timestamptz, $18::integer)) as v (conversation_id, operator_id, source, since, place)
    on conflict (tenant_id, conversation_id, operator_id) do update
      set source = excluded.source, since = excluded.since, place = excluded.place, removed_at = null
      where followers.removed_at < excluded.since and excluded.source = 'mention' returning 1) select 1 / ((select count(*) from g0) = $19::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/desk/conversations/followers/queries.ts: followedBy
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select followed.conversation_id as id from followers followed where followed.tenant_id = $1
    and followed.operator_id = $2::uuid and followed.removed_at is null) candidate limit $3) few;

-- packages/server/src/support/desk/conversations/followers/queries.ts: followerIdsOf
select conversation_id, array_agg(operator_id order by since, operator_id) as operator_ids from followers
    where tenant_id = $1 and conversation_id = any($2::uuid[]) and removed_at is null
    group by conversation_id;

-- packages/server/src/support/desk/conversations/followers/queries.ts: followersOf
select conversation_id, operator_id, source, since, place, removed_at from followers
    where tenant_id = $1 and conversation_id = any($2::uuid[]) order by since, operator_id;

-- packages/server/src/support/desk/conversations/followers/queries.ts: keepOut
with g0 as (select 1 from conversations where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (insert into followers (tenant_id, conversation_id, operator_id, source, since, removed_at)
    select $4::uuid, conversation_id, operator_id, 'manual', removed_at, removed_at from (values ($5::uuid, $6::uuid, $7::timestamptz)) as v (conversation_id, operator_id, removed_at)
    on conflict (tenant_id, conversation_id, operator_id) do nothing returning 1) select 1 / ((select count(*) from g0) = $8::bigint)::integer / ((select count(*) from g1) = $9::bigint)::integer;

-- packages/server/src/support/desk/conversations/followers/queries.ts: letIn
with g0 as (select 1 from conversations where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (delete from followers using unnest($4::uuid[],
      $5::uuid[]) as v (conversation_id, operator_id)
    where followers.tenant_id = $6 and followers.conversation_id = v.conversation_id
      and followers.operator_id = v.operator_id and followers.removed_at is not null returning 1), w0 as (insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select $7::uuid, conversation_id, operator_id, source, since, place from (values ($8::uuid, $9::uuid, $10::text, $11::timestamptz, $12::integer)) as v (conversation_id, operator_id, source, since, place) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $13::bigint) + $14::bigint
    where tenant_id = $15 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $16::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($17::uuid, $18::text, $19::timestamptz, $20::uuid, $21::text, $22::uuid, $23::integer, $24::text, $25::text, $26::text, $27::text, $28::text, $29::text, $30::text, $31::json, $32::json, $33::json, $34::text, $35::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $36::bigint)::integer / ((select count(*) from g1) = $37::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $38::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/followers/queries.ts: listFollowers
select conversation_id, operator_id, source, since, place, removed_at from followers
    where tenant_id = $1 and conversation_id = $2 and removed_at is null
      
    order by since, operator_id limit $3;

-- packages/server/src/support/desk/conversations/followers/queries.ts: listFollowers
select conversation_id, operator_id, source, since, place, removed_at from followers
    where tenant_id = $1 and conversation_id = $2 and removed_at is null
      and (since, operator_id) > ($3::timestamptz, $4::uuid)
    order by since, operator_id limit $5;

-- packages/server/src/support/desk/conversations/followers/queries.ts: removeFollowers
with g0 as (select 1 from conversations where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (update followers set place = null, removed_at = v.removed_at from (values ($4::uuid, $5::uuid, $6::timestamptz)) as v (conversation_id, operator_id, removed_at)
    where followers.tenant_id = $7 and followers.conversation_id = v.conversation_id
      and followers.operator_id = v.operator_id and followers.removed_at is null returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $8::bigint) + $9::bigint
    where tenant_id = $10 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $11::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($12::uuid, $13::text, $14::timestamptz, $15::uuid, $16::text, $17::uuid, $18::integer, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::text, $26::json, $27::json, $28::json, $29::text, $30::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $31::bigint)::integer / ((select count(*) from g1) = $32::bigint)::integer / ((select count(*) from head) = $33::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/followers/queries.ts: setFollowers
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = v.subject, priority = v.priority, language = v.language, external_id = v.external_id, metadata = v.metadata, follow_up_of_id = v.follow_up_of_id, status = v.status, waiting_since = v.waiting_since, message_count = v.message_count, last_message_at = v.last_message_at, last_message_side = v.last_message_side, first_response_at = v.first_response_at, resolved_at = v.resolved_at, closed_at = v.closed_at, reopened_count = v.reopened_count, merged_into_id = v.merged_into_id, read_by_end_user = v.read_by_end_user, read_by_operator = v.read_by_operator, unread_by_end_user = v.unread_by_end_user, unread_by_operator = v.unread_by_operator, updated_at = v.updated_at, version = v.version, department_id = v.department_id, category_id = v.category_id, assignee_id = v.assignee_id, assignment_strategy = v.assignment_strategy, assignment_reason = v.assignment_reason, assigned_at = v.assigned_at, awaits_routing = v.awaits_routing, waiting_on = v.waiting_on, hold_reason_id = v.hold_reason_id, hold_note = v.hold_note, hold_since = v.hold_since, hold_until = v.hold_until, resumes_on_reply = v.resumes_on_reply, sla_config_id = v.sla_config_id, sla_config_version = v.sla_config_version, sla_follows = v.sla_follows, sla = v.sla, sla_due_at = v.sla_due_at, unanswered_since = v.unanswered_since, hold_pauses_sla = v.hold_pauses_sla, company_id = v.company_id, mailbox_id = v.mailbox_id, search = case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, tag_ids = array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[], participant_ids = array(select jsonb_array_elements_text(v.participant_ids::jsonb))::uuid[], custom_values = v.custom_values from unnest($14::uuid[], $15::text[], $16::text[], $17::text[], $18::text[], $19::json[], $20::uuid[], $21::text[], $22::timestamptz[], $23::integer[], $24::timestamptz[], $25::text[], $26::timestamptz[], $27::timestamptz[], $28::timestamptz[], $29::integer[], $30::uuid[], $31::integer[], $32::integer[], $33::integer[], $34::integer[], $35::timestamptz[], $36::integer[], $37::uuid[], $38::uuid[], $39::uuid[], $40::text[], $41::text[], $42::timestamptz[], $43::boolean[], $44::text[], $45::uuid[], $46::text[], $47::timestamptz[], $48::timestamptz[], $49::boolean[], $50::uuid[], $51::integer[], $52::integer[], $53::json[], $54::timestamptz[], $55::timestamptz[], $56::boolean[], $57::uuid[], $58::uuid[], $59::text[], $60::text[], $61::text[], $62::json[]) as v (id, subject, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, participant_ids, custom_values)
      where conversations.tenant_id = $63 and conversations.id = v.id and conversations.version = v.version - 1 returning 1), w0 as (delete from followers where tenant_id = $64 and conversation_id = $65
     returning 1), w1 as (insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select $66::uuid, conversation_id, operator_id, source, since, place from (values ($67::uuid, $68::uuid, $69::text, $70::timestamptz, $71::integer)) as v (conversation_id, operator_id, source, since, place)
    on conflict (tenant_id, conversation_id, operator_id) do update
      set source = excluded.source, since = excluded.since, place = excluded.place, removed_at = null returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $72::bigint) + $73::bigint
    where tenant_id = $74 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $75::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($76::uuid[], $77::text[], $78::timestamptz[], $79::uuid[], $80::text[], $81::uuid[], $82::integer[], $83::text[], $84::text[], $85::text[], $86::text[], $87::text[], $88::text[], $89::text[], $90::json[], $91::json[], $92::json[], $93::text[], $94::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $95::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $96::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/linking/queries.ts: environmentsWithUnlinked
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select 1 from conversations where conversations.tenant_id = h.tenant_id
      and conversations.end_user_id is null limit 1) unlinked;

-- packages/server/src/support/desk/conversations/linking/queries.ts: hasUnlinked
select 1 as found from conversations where tenant_id = $1 and end_user_id is null limit 1;

-- packages/server/src/support/desk/conversations/linking/queries.ts: linkConversations
update conversations set end_user_id = v.end_user_id
    from unnest($1::uuid[], $2::uuid[])
      as v (id, end_user_id),
      (select id from conversations where tenant_id = $3 and id = any($4::uuid[])
        and end_user_id is null order by id for update skip locked) free
    where conversations.tenant_id = $5 and conversations.id = v.id and free.id = v.id;

-- packages/server/src/support/desk/conversations/linking/queries.ts: namedEndUsers
select coalesce(merged_into_id, id) as id, external_id from end_users
    where tenant_id = $1 and external_id = any($2::text[]);

-- packages/server/src/support/desk/conversations/linking/queries.ts: someUnlinked
select id, external_user_id from conversations
    where tenant_id = $1 and end_user_id is null order by external_user_id, id limit $2;

-- packages/server/src/support/desk/conversations/queries.ts: beginHolds
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $4::uuid, duty, subject_id, due_at, retry_at from unnest($5::text[], $6::uuid[], $7::timestamptz[], $8::timestamptz[]) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $9::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($10::text, $11::bytea, $12::text, $13::timestamptz, $14::integer, $15::text, $16::text, $17::text, $18::bytea, $19::uuid, $20::uuid, $21::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $22, priority = $23, language = $24, external_id = $25, metadata = $26, follow_up_of_id = $27, status = $28, waiting_since = $29, message_count = $30, last_message_at = $31, last_message_side = $32, first_response_at = $33, resolved_at = $34, closed_at = $35, reopened_count = $36, merged_into_id = $37, read_by_end_user = $38, read_by_operator = $39, unread_by_end_user = $40, unread_by_operator = $41, updated_at = $42, version = $43, department_id = $44, category_id = $45, assignee_id = $46, assignment_strategy = $47, assignment_reason = $48, assigned_at = $49, awaits_routing = $50, waiting_on = $51, hold_reason_id = $52, hold_note = $53, hold_since = $54, hold_until = $55, resumes_on_reply = $56, sla_config_id = $57, sla_config_version = $58, sla_follows = $59, sla = $60, sla_due_at = $61, unanswered_since = $62, hold_pauses_sla = $63, company_id = $64, mailbox_id = $65, search = array_to_tsvector($66::text[]), tag_ids = $67, participant_ids = $68, custom_values = $69 where tenant_id = $70 and id = $71 and version = $72 returning 1), w0 as (insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, note, since, until)
    select $73::uuid, conversation_id, id, hold_reason_id, note, since, until from (values ($74::uuid, $75::uuid, $76::uuid, $77::text, $78::timestamptz, $79::timestamptz)) as v (conversation_id, id, hold_reason_id, note, since, until) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $80::bigint) + $81::bigint
    where tenant_id = $82 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $83::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($84::uuid, $85::text, $86::timestamptz, $87::uuid, $88::text, $89::uuid, $90::integer, $91::text, $92::text, $93::text, $94::text, $95::text, $96::text, $97::text, $98::json, $99::json, $100::json, $101::text, $102::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $103::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $104::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: beginHolds
with g0 as (select 1 from end_users where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (update jobs set status = $4, params = $5, state = $6, done = $7, total = $8, failed = $9, result = $10, error = $11, started_at = $12, ended_at = $13, expires_at = $14, updated_at = $15, version = $16, attempts = $17 where tenant_id = $18 and id = $19 and version = $20 returning 1), w0 as (insert into hold_reasons (tenant_id, id, name, description, waiting_on, pauses_sla, resumes_on_reply, requires_note, default_duration_seconds, max_duration_seconds, on_expiry, archived, created_at, updated_at, version, name_key, follow_up_every_seconds, follow_up_template_id, follow_up_max_count) values ($21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39) returning 1), w1 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, search) select $40::uuid, v.id, v.conversation_id, v.sequence, v.author_side, v.operator_id, v.body, v.body_format, v.visibility, v.in_reply_to_id, v.external_id, v.metadata, v.edited_at, v.redacted_at, v.created_at, v.updated_at, v.version, v.template_id, v.author_end_user_id, v.attachments, v.body_html, case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end from unnest($41::uuid[], $42::uuid[], $43::integer[], $44::text[], $45::uuid[], $46::text[], $47::text[], $48::text[], $49::uuid[], $50::text[], $51::json[], $52::timestamptz[], $53::timestamptz[], $54::timestamptz[], $55::timestamptz[], $56::integer[], $57::uuid[], $58::uuid[], $59::json[], $60::text[], $61::text[]) as v (id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, search) returning 1), w2 as (insert into message_external_ids (tenant_id, external_id, message_id)
    select $62::uuid, external_id, message_id from unnest($63::text[], $64::uuid[]) as v (external_id, message_id) returning 1), w3 as (insert into import_mappings (tenant_id, type, external_id, source, object_id)
    select $65::uuid, type, external_id, source, object_id from unnest($66::text[], $67::text[], $68::text[], $69::uuid[]) as v (type, external_id, source, object_id) returning 1), w4 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) select $70::uuid, v.id, v.subject, v.initiated_by_side, v.channel, v.priority, v.language, v.external_id, v.metadata, v.follow_up_of_id, v.status, v.waiting_since, v.message_count, v.last_message_at, v.last_message_side, v.first_response_at, v.resolved_at, v.closed_at, v.reopened_count, v.merged_into_id, v.read_by_end_user, v.read_by_operator, v.unread_by_end_user, v.unread_by_operator, v.created_at, v.updated_at, v.version, v.department_id, v.category_id, v.assignee_id, v.assignment_strategy, v.assignment_reason, v.assigned_at, v.awaits_routing, v.waiting_on, v.hold_reason_id, v.hold_note, v.hold_since, v.hold_until, v.resumes_on_reply, v.sla_config_id, v.sla_config_version, v.sla_follows, v.sla, v.sla_due_at, v.unanswered_since, v.hold_pauses_sla, v.company_id, v.mailbox_id, case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[], v.end_user_id, array(select jsonb_array_elements_text(v.participant_ids::jsonb))::uuid[], v.custom_values from unnest($71::uuid[], $72::text[], $73::text[], $74::text[], $75::text[], $76::text[], $77::text[], $78::json[], $79::uuid[], $80::text[], $81::timestamptz[], $82::integer[], $83::timestamptz[], $84::text[], $85::timestamptz[], $86::timestamptz[], $87::timestamptz[], $88::integer[], $89::uuid[], $90::integer[], $91::integer[], $92::integer[], $93::integer[], $94::timestamptz[], $95::timestamptz[], $96::integer[], $97::uuid[], $98::uuid[], $99::uuid[], $100::text[], $101::text[], $102::timestamptz[], $103::boolean[], $104::text[], $105::uuid[], $106::text[], $107::timestamptz[], $108::timestamptz[], $109::boolean[], $110::uuid[], $111::integer[], $112::integer[], $113::json[], $114::timestamptz[], $115::timestamptz[], $116::boolean[], $117::uuid[], $118::uuid[], $119::text[], $120::text[], $121::uuid[], $122::text[], $123::json[]) as v (id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) returning 1), w5 as (insert into conversation_tags (tenant_id, tag_id, conversation_id) values ($124::uuid, $125::uuid, $126::uuid)
    on conflict (tenant_id, tag_id, conversation_id) do nothing returning 1), w6 as (insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, note, since, until)
    select $127::uuid, conversation_id, id, hold_reason_id, note, since, until from (values ($128::uuid, $129::uuid, $130::uuid, $131::text, $132::timestamptz, $133::timestamptz)) as v (conversation_id, id, hold_reason_id, note, since, until) returning 1), w7 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $134::uuid, job_id, place, status, object_id, errors, changes from unnest($135::uuid[], $136::integer[], $137::text[], $138::text[], $139::json[], $140::json[]) as v (job_id, place, status, object_id, errors, changes) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $141::bigint) + $142::bigint
    where tenant_id = $143 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $144::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($145::uuid[], $146::text[], $147::timestamptz[], $148::uuid[], $149::text[], $150::uuid[], $151::integer[], $152::text[], $153::text[], $154::text[], $155::text[], $156::text[], $157::text[], $158::text[], $159::json[], $160::json[], $161::json[], $162::text[], $163::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $164::bigint)::integer / ((select count(*) from g1) = $165::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from head) = $166::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: beginHolds
with g0 as (select 1 from end_users where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (update jobs set status = $4, params = $5, state = $6, done = $7, total = $8, failed = $9, result = $10, error = $11, started_at = $12, ended_at = $13, expires_at = $14, updated_at = $15, version = $16, attempts = $17 where tenant_id = $18 and id = $19 and version = $20 returning 1), w0 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, search) select $21::uuid, v.id, v.conversation_id, v.sequence, v.author_side, v.operator_id, v.body, v.body_format, v.visibility, v.in_reply_to_id, v.external_id, v.metadata, v.edited_at, v.redacted_at, v.created_at, v.updated_at, v.version, v.template_id, v.author_end_user_id, v.attachments, v.body_html, case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end from unnest($22::uuid[], $23::uuid[], $24::integer[], $25::text[], $26::uuid[], $27::text[], $28::text[], $29::text[], $30::uuid[], $31::text[], $32::json[], $33::timestamptz[], $34::timestamptz[], $35::timestamptz[], $36::timestamptz[], $37::integer[], $38::uuid[], $39::uuid[], $40::json[], $41::text[], $42::text[]) as v (id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, search) returning 1), w1 as (insert into import_mappings (tenant_id, type, external_id, source, object_id)
    select $43::uuid, type, external_id, source, object_id from unnest($44::text[], $45::text[], $46::text[], $47::uuid[]) as v (type, external_id, source, object_id) returning 1), w2 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) select $48::uuid, v.id, v.subject, v.initiated_by_side, v.channel, v.priority, v.language, v.external_id, v.metadata, v.follow_up_of_id, v.status, v.waiting_since, v.message_count, v.last_message_at, v.last_message_side, v.first_response_at, v.resolved_at, v.closed_at, v.reopened_count, v.merged_into_id, v.read_by_end_user, v.read_by_operator, v.unread_by_end_user, v.unread_by_operator, v.created_at, v.updated_at, v.version, v.department_id, v.category_id, v.assignee_id, v.assignment_strategy, v.assignment_reason, v.assigned_at, v.awaits_routing, v.waiting_on, v.hold_reason_id, v.hold_note, v.hold_since, v.hold_until, v.resumes_on_reply, v.sla_config_id, v.sla_config_version, v.sla_follows, v.sla, v.sla_due_at, v.unanswered_since, v.hold_pauses_sla, v.company_id, v.mailbox_id, case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[], v.end_user_id, array(select jsonb_array_elements_text(v.participant_ids::jsonb))::uuid[], v.custom_values from unnest($49::uuid[], $50::text[], $51::text[], $52::text[], $53::text[], $54::text[], $55::text[], $56::json[], $57::uuid[], $58::text[], $59::timestamptz[], $60::integer[], $61::timestamptz[], $62::text[], $63::timestamptz[], $64::timestamptz[], $65::timestamptz[], $66::integer[], $67::uuid[], $68::integer[], $69::integer[], $70::integer[], $71::integer[], $72::timestamptz[], $73::timestamptz[], $74::integer[], $75::uuid[], $76::uuid[], $77::uuid[], $78::text[], $79::text[], $80::timestamptz[], $81::boolean[], $82::text[], $83::uuid[], $84::text[], $85::timestamptz[], $86::timestamptz[], $87::boolean[], $88::uuid[], $89::integer[], $90::integer[], $91::json[], $92::timestamptz[], $93::timestamptz[], $94::boolean[], $95::uuid[], $96::uuid[], $97::text[], $98::text[], $99::uuid[], $100::text[], $101::json[]) as v (id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) returning 1), w3 as (insert into conversation_tags (tenant_id, tag_id, conversation_id) values ($102::uuid, $103::uuid, $104::uuid)
    on conflict (tenant_id, tag_id, conversation_id) do nothing returning 1), w4 as (insert into conversation_holds (tenant_id, conversation_id, id, hold_reason_id, note, since, until)
    select $105::uuid, conversation_id, id, hold_reason_id, note, since, until from (values ($106::uuid, $107::uuid, $108::uuid, $109::text, $110::timestamptz, $111::timestamptz)) as v (conversation_id, id, hold_reason_id, note, since, until) returning 1), w5 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $112::uuid, job_id, place, status, object_id, errors, changes from unnest($113::uuid[], $114::integer[], $115::text[], $116::text[], $117::json[], $118::json[]) as v (job_id, place, status, object_id, errors, changes) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $119::bigint) + $120::bigint
    where tenant_id = $121 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $122::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($123::uuid[], $124::text[], $125::timestamptz[], $126::uuid[], $127::text[], $128::uuid[], $129::integer[], $130::text[], $131::text[], $132::text[], $133::text[], $134::text[], $135::text[], $136::text[], $137::json[], $138::json[], $139::json[], $140::text[], $141::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $142::bigint)::integer / ((select count(*) from g1) = $143::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from head) = $144::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: correctHolds
with g0 as (select 1 from end_users where tenant_id = $1 and id = $2 and version = $3 for share), g1 as (update conversations set subject = $4, priority = $5, language = $6, external_id = $7, metadata = $8, follow_up_of_id = $9, status = $10, waiting_since = $11, message_count = $12, last_message_at = $13, last_message_side = $14, first_response_at = $15, resolved_at = $16, closed_at = $17, reopened_count = $18, merged_into_id = $19, read_by_end_user = $20, read_by_operator = $21, unread_by_end_user = $22, unread_by_operator = $23, updated_at = $24, version = $25, department_id = $26, category_id = $27, assignee_id = $28, assignment_strategy = $29, assignment_reason = $30, assigned_at = $31, awaits_routing = $32, waiting_on = $33, hold_reason_id = $34, hold_note = $35, hold_since = $36, hold_until = $37, resumes_on_reply = $38, sla_config_id = $39, sla_config_version = $40, sla_follows = $41, sla = $42, sla_due_at = $43, unanswered_since = $44, hold_pauses_sla = $45, company_id = $46, mailbox_id = $47, search = array_to_tsvector($48::text[]), tag_ids = $49, participant_ids = $50, custom_values = $51 where tenant_id = $52 and id = $53 and version = $54 returning 1), g2 as (update jobs set status = $55, params = $56, state = $57, done = $58, total = $59, failed = $60, result = $61, error = $62, started_at = $63, ended_at = $64, expires_at = $65, updated_at = $66, version = $67, attempts = $68 where tenant_id = $69 and id = $70 and version = $71 returning 1), w0 as (update conversation_holds set hold_reason_id = v.hold_reason_id, note = v.note, since = v.since
    from (values ($72::uuid, $73::timestamptz, $74::uuid, $75::text, $76::timestamptz)) as v (conversation_id, was, hold_reason_id, note, since)
    where conversation_holds.tenant_id = $77 and conversation_holds.conversation_id = v.conversation_id
      and conversation_holds.since = v.was and conversation_holds.ended_at is null returning 1), w1 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $78::uuid, job_id, place, status, object_id, errors, changes from (values ($79::uuid, $80::integer, $81::text, $82::text, $83::json, $84::json)) as v (job_id, place, status, object_id, errors, changes) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $85::bigint) + $86::bigint
    where tenant_id = $87 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $88::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($89::uuid, $90::text, $91::timestamptz, $92::uuid, $93::text, $94::uuid, $95::integer, $96::text, $97::text, $98::text, $99::text, $100::text, $101::text, $102::text, $103::json, $104::json, $105::json, $106::text, $107::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $108::bigint)::integer / ((select count(*) from g1) = $109::bigint)::integer / ((select count(*) from g2) = $110::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $111::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: countHolds
select count(*) from (select 1 from conversation_holds where tenant_id = $1 and conversation_id = $2 limit $3) found;

-- packages/server/src/support/desk/conversations/queries.ts: deleteParticipants
with g0 as (update conversations set subject = $1, priority = $2, language = $3, external_id = $4, metadata = $5, follow_up_of_id = $6, status = $7, waiting_since = $8, message_count = $9, last_message_at = $10, last_message_side = $11, first_response_at = $12, resolved_at = $13, closed_at = $14, reopened_count = $15, merged_into_id = $16, read_by_end_user = $17, read_by_operator = $18, unread_by_end_user = $19, unread_by_operator = $20, updated_at = $21, version = $22, department_id = $23, category_id = $24, assignee_id = $25, assignment_strategy = $26, assignment_reason = $27, assigned_at = $28, awaits_routing = $29, waiting_on = $30, hold_reason_id = $31, hold_note = $32, hold_since = $33, hold_until = $34, resumes_on_reply = $35, sla_config_id = $36, sla_config_version = $37, sla_follows = $38, sla = $39, sla_due_at = $40, unanswered_since = $41, hold_pauses_sla = $42, company_id = $43, mailbox_id = $44, search = array_to_tsvector($45::text[]), tag_ids = $46, participant_ids = $47, custom_values = $48 where tenant_id = $49 and id = $50 and version = $51 returning 1), w0 as (delete from conversation_participants using unnest($52::uuid[],
      $53::uuid[]) as gone (end_user_id, conversation_id)
    where conversation_participants.tenant_id = $54 and conversation_participants.end_user_id = gone.end_user_id
      and conversation_participants.conversation_id = gone.conversation_id returning 1), w1 as (insert into former_participants (tenant_id, end_user_id, conversation_id)
    select $55::uuid, v.end_user_id, v.conversation_id
    from unnest($56::uuid[], $57::uuid[])
      as v (end_user_id, conversation_id)
    on conflict (tenant_id, end_user_id, conversation_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $58::bigint) + $59::bigint
    where tenant_id = $60 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $61::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($62::uuid, $63::text, $64::timestamptz, $65::uuid, $66::text, $67::uuid, $68::integer, $69::text, $70::text, $71::text, $72::text, $73::text, $74::text, $75::text, $76::json, $77::json, $78::json, $79::text, $80::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $81::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $82::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: endHolds
with g0 as (delete from due_work using (values ($1::text, $2::uuid, $3::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update conversations set subject = $5, priority = $6, language = $7, external_id = $8, metadata = $9, follow_up_of_id = $10, status = $11, waiting_since = $12, message_count = $13, last_message_at = $14, last_message_side = $15, first_response_at = $16, resolved_at = $17, closed_at = $18, reopened_count = $19, merged_into_id = $20, read_by_end_user = $21, read_by_operator = $22, unread_by_end_user = $23, unread_by_operator = $24, updated_at = $25, version = $26, department_id = $27, category_id = $28, assignee_id = $29, assignment_strategy = $30, assignment_reason = $31, assigned_at = $32, awaits_routing = $33, waiting_on = $34, hold_reason_id = $35, hold_note = $36, hold_since = $37, hold_until = $38, resumes_on_reply = $39, sla_config_id = $40, sla_config_version = $41, sla_follows = $42, sla = $43, sla_due_at = $44, unanswered_since = $45, hold_pauses_sla = $46, company_id = $47, mailbox_id = $48, search = array_to_tsvector($49::text[]), tag_ids = $50, participant_ids = $51, custom_values = $52 where tenant_id = $53 and id = $54 and version = $55 returning 1), w0 as (update conversation_holds set ended_at = v.ended_at, ended_by = v.ended_by from (values ($56::uuid, $57::timestamptz, $58::timestamptz, $59::text)) as v (conversation_id, since, ended_at, ended_by)
    where conversation_holds.tenant_id = $60 and conversation_holds.conversation_id = v.conversation_id
      and conversation_holds.since = v.since and conversation_holds.ended_at is null returning 1) select 1 / ((select count(*) from g0) = $61::bigint)::integer / ((select count(*) from g1) = $62::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: findConversationByExternalId
select id from conversations where tenant_id = $1 and external_id = $2;

-- packages/server/src/support/desk/conversations/queries.ts: insertParticipants
with g0 as (update conversations set subject = $1, priority = $2, language = $3, external_id = $4, metadata = $5, follow_up_of_id = $6, status = $7, waiting_since = $8, message_count = $9, last_message_at = $10, last_message_side = $11, first_response_at = $12, resolved_at = $13, closed_at = $14, reopened_count = $15, merged_into_id = $16, read_by_end_user = $17, read_by_operator = $18, unread_by_end_user = $19, unread_by_operator = $20, updated_at = $21, version = $22, department_id = $23, category_id = $24, assignee_id = $25, assignment_strategy = $26, assignment_reason = $27, assigned_at = $28, awaits_routing = $29, waiting_on = $30, hold_reason_id = $31, hold_note = $32, hold_since = $33, hold_until = $34, resumes_on_reply = $35, sla_config_id = $36, sla_config_version = $37, sla_follows = $38, sla = $39, sla_due_at = $40, unanswered_since = $41, hold_pauses_sla = $42, company_id = $43, mailbox_id = $44, search = array_to_tsvector($45::text[]), tag_ids = $46, participant_ids = $47, custom_values = $48 where tenant_id = $49 and id = $50 and version = $51 returning 1), w0 as (insert into conversation_participants (tenant_id, end_user_id, conversation_id, address, source, confirmed, since)
    select $52::uuid, end_user_id, conversation_id, address, source, confirmed, since from (values ($53::uuid, $54::uuid, $55::text, $56::text, $57::boolean, $58::timestamptz)) as v (end_user_id, conversation_id, address, source, confirmed, since)
    on conflict (tenant_id, end_user_id, conversation_id) do update
      set address = excluded.address, source = excluded.source, confirmed = excluded.confirmed, since = excluded.since returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $59::bigint) + $60::bigint
    where tenant_id = $61 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $62::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($63::uuid, $64::text, $65::timestamptz, $66::uuid, $67::text, $68::uuid, $69::integer, $70::text, $71::text, $72::text, $73::text, $74::text, $75::text, $76::text, $77::json, $78::json, $79::json, $80::text, $81::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $82::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $83::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/queries.ts: listHolds
select id, hold_reason_id, note, since, until, ended_at, ended_by from conversation_holds
    where tenant_id = $1 and conversation_id = $2
    order by id limit $3;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.subject, conversations.initiated_by_side, conversations.channel, conversations.priority, conversations.language, conversations.external_id, conversations.metadata, conversations.follow_up_of_id, conversations.status, conversations.waiting_since, conversations.message_count, conversations.last_message_at, conversations.last_message_side, conversations.first_response_at, conversations.resolved_at, conversations.closed_at, conversations.reopened_count, conversations.merged_into_id, conversations.read_by_end_user, conversations.read_by_operator, conversations.unread_by_end_user, conversations.unread_by_operator, conversations.created_at, conversations.updated_at, conversations.version, conversations.department_id, conversations.category_id, conversations.assignee_id, conversations.assignment_strategy, conversations.assignment_reason, conversations.assigned_at, conversations.awaits_routing, conversations.waiting_on, conversations.hold_reason_id, conversations.hold_note, conversations.hold_since, conversations.hold_until, conversations.resumes_on_reply, conversations.sla_config_id, conversations.sla_config_version, conversations.sla_follows, conversations.sla, conversations.sla_due_at, conversations.unanswered_since, conversations.hold_pauses_sla, conversations.company_id, conversations.mailbox_id, case when conversations.end_user_id is not null then (select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $1 and target.id = stored.merged_into_id
    where stored.tenant_id = $2 and stored.id = conversations.end_user_id)
    else coalesce((select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $3 and target.id = stored.merged_into_id
    where stored.tenant_id = $4 and stored.external_id = conversations.external_user_id), json_build_object('id', null,
      'external_id', conversations.external_user_id, 'is_blocked', false, 'is_erased', false)) end as end_user, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $5 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $6 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $7 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $8 and target.id = tag.merged_into_id) end as tags, case when conversations.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(conversations.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $9
          and field.slot = stored.key limit 1) field) end as custom_fields, case when conversations.sla_config_id is null then null else (
      select v.terms from sla_config_versions v where v.tenant_id = $10
        and v.sla_config_id = conversations.sla_config_id and v.version <= conversations.sla_config_version
      order by v.version desc limit 1) end as sla_terms from conversations
    where conversations.tenant_id = $11 and conversations.id in (
      select followed.id from conversations followed
        where followed.tenant_id = $12 and followed.follow_up_of_id = $13
      union select merged.id from conversations merged
        where merged.tenant_id = $14 and merged.merged_into_id = $15)
    order by conversations.id limit $16;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.subject, conversations.initiated_by_side, conversations.channel, conversations.priority, conversations.language, conversations.external_id, conversations.metadata, conversations.follow_up_of_id, conversations.status, conversations.waiting_since, conversations.message_count, conversations.last_message_at, conversations.last_message_side, conversations.first_response_at, conversations.resolved_at, conversations.closed_at, conversations.reopened_count, conversations.merged_into_id, conversations.read_by_end_user, conversations.read_by_operator, conversations.unread_by_end_user, conversations.unread_by_operator, conversations.created_at, conversations.updated_at, conversations.version, conversations.department_id, conversations.category_id, conversations.assignee_id, conversations.assignment_strategy, conversations.assignment_reason, conversations.assigned_at, conversations.awaits_routing, conversations.waiting_on, conversations.hold_reason_id, conversations.hold_note, conversations.hold_since, conversations.hold_until, conversations.resumes_on_reply, conversations.sla_config_id, conversations.sla_config_version, conversations.sla_follows, conversations.sla, conversations.sla_due_at, conversations.unanswered_since, conversations.hold_pauses_sla, conversations.company_id, conversations.mailbox_id, case when conversations.end_user_id is not null then (select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $1 and target.id = stored.merged_into_id
    where stored.tenant_id = $2 and stored.id = conversations.end_user_id)
    else coalesce((select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $3 and target.id = stored.merged_into_id
    where stored.tenant_id = $4 and stored.external_id = conversations.external_user_id), json_build_object('id', null,
      'external_id', conversations.external_user_id, 'is_blocked', false, 'is_erased', false)) end as end_user, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $5 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $6 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $7 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $8 and target.id = tag.merged_into_id) end as tags, case when conversations.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(conversations.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $9
          and field.slot = stored.key limit 1) field) end as custom_fields, case when conversations.sla_config_id is null then null else (
      select v.terms from sla_config_versions v where v.tenant_id = $10
        and v.sla_config_id = conversations.sla_config_id and v.version <= conversations.sla_config_version
      order by v.version desc limit 1) end as sla_terms from conversations
    where conversations.tenant_id = $11 and conversations.sla_config_id = $12
      and conversations.sla_follows < $13
    order by conversations.sla_follows, conversations.id limit $14;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.subject, conversations.initiated_by_side, conversations.channel, conversations.priority, conversations.language, conversations.external_id, conversations.metadata, conversations.follow_up_of_id, conversations.status, conversations.waiting_since, conversations.message_count, conversations.last_message_at, conversations.last_message_side, conversations.first_response_at, conversations.resolved_at, conversations.closed_at, conversations.reopened_count, conversations.merged_into_id, conversations.read_by_end_user, conversations.read_by_operator, conversations.unread_by_end_user, conversations.unread_by_operator, conversations.created_at, conversations.updated_at, conversations.version, conversations.department_id, conversations.category_id, conversations.assignee_id, conversations.assignment_strategy, conversations.assignment_reason, conversations.assigned_at, conversations.awaits_routing, conversations.waiting_on, conversations.hold_reason_id, conversations.hold_note, conversations.hold_since, conversations.hold_until, conversations.resumes_on_reply, conversations.sla_config_id, conversations.sla_config_version, conversations.sla_follows, conversations.sla, conversations.sla_due_at, conversations.unanswered_since, conversations.hold_pauses_sla, conversations.company_id, conversations.mailbox_id, case when conversations.end_user_id is not null then (select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $1 and target.id = stored.merged_into_id
    where stored.tenant_id = $2 and stored.id = conversations.end_user_id)
    else coalesce((select json_build_object('id', coalesce(target.id, stored.id),
      'external_id', case when target.id is null then stored.external_id else target.external_id end,
      'is_blocked', (case when target.id is null then stored.blocked_at else target.blocked_at end) is not null,
      'is_erased', stored.erased_at is not null)
    from end_users stored left join end_users target on target.tenant_id = $3 and target.id = stored.merged_into_id
    where stored.tenant_id = $4 and stored.external_id = conversations.external_user_id), json_build_object('id', null,
      'external_id', conversations.external_user_id, 'is_blocked', false, 'is_erased', false)) end as end_user, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $5 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $6 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $7 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $8 and target.id = tag.merged_into_id) end as tags, case when conversations.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(conversations.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $9
          and field.slot = stored.key limit 1) field) end as custom_fields, case when conversations.sla_config_id is null then null else (
      select v.terms from sla_config_versions v where v.tenant_id = $10
        and v.sla_config_id = conversations.sla_config_id and v.version <= conversations.sla_config_version
      order by v.version desc limit 1) end as sla_terms from conversations where conversations.tenant_id = $11 order by id limit 200;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14
      and (id) > (given.above_id) and (id) < (given.below_id) order by id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and category_id is not null
      and (category_id, id) > (given.id_key, given.above_id) and (category_id, id) < (given.id_key, given.below_id) order by category_id desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and channel <> 'api'
      and (channel, id) > (given.text_key, given.above_id) and (channel, id) < (given.text_key, given.below_id) order by channel desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and end_user_id is not null
      and (end_user_id, id) > (given.id_key, given.above_id) and (end_user_id, id) < (given.id_key, given.below_id) order by end_user_id desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and mailbox_id is not null
      and (mailbox_id, id) > (given.id_key, given.above_id) and (mailbox_id, id) < (given.id_key, given.below_id) order by mailbox_id desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and priority <> 'normal'
      and (priority, id) > (given.text_key, given.above_id) and (priority, id) < (given.text_key, given.below_id) order by priority desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given cross join unnest(given.statuses) as walk (walked_status)
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, 'infinity'::timestamptz, given.above_id) and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity'::timestamptz, given.below_id) order by status desc, coalesce(sla_due_at, 'infinity') desc, id desc limit 26) union all (select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $15 and sla_due_at is not null
      and (status, id) > (walked_status, given.above_id) and (status, id) < (walked_status, given.below_id) order by status desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given cross join unnest(given.statuses) as walk (walked_status)
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, given.above_at, given.above_id) and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, given.below_at, given.below_id) order by status, coalesce(sla_due_at, 'infinity'), id limit 10)) conversations order by coalesce(sla_due_at, 'infinity'), id limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given cross join unnest(given.statuses) as walk (walked_status)
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and assignee_id is not null
      and (assignee_id, status, id) > (given.id_key, walked_status, given.above_id) and (assignee_id, status, id) < (given.id_key, walked_status, given.below_id) order by assignee_id desc, status desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given cross join unnest(given.statuses) as walk (walked_status)
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and department_id is not null
      and (department_id, status, id) > (given.id_key, walked_status, given.above_id) and (department_id, status, id) < (given.id_key, walked_status, given.below_id) order by department_id desc, status desc, id desc limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at offset 0) given cross join unnest(given.statuses) as walk (walked_status)
    cross join lateral ((select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $14 and walked_status = 'new' and assignee_id is null
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, 'infinity'::timestamptz, given.above_id) and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity'::timestamptz, given.below_id) order by status desc, coalesce(sla_due_at, 'infinity') desc, id desc limit 10) union all (select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $15 and sla_due_at is not null and walked_status = 'new' and assignee_id is null
      and (status, id) > (walked_status, given.above_id) and (status, id) < (walked_status, given.below_id) order by status desc, id desc limit 10) union all (select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at from conversations
    where tenant_id = $16 and assignee_id is null and status <> 'new'
      and (status, id) > (walked_status, given.above_id) and (status, id) < (walked_status, given.below_id) order by status desc, id desc limit 10)) conversations order by id desc limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from (select $7::text[] as statuses, $8::text as text_key, $9::uuid as id_key,
    $10::uuid as above_id, $11::uuid as below_id, $12::timestamptz as above_at,
    $13::timestamptz as below_at, $14::text as wanted_waiting_on, $15::text as wanted_priority, $16::text as wanted_channel, $17::text as wanted_initiated_by_side, $18::uuid as wanted_assignee_id, $19::boolean as wanted_unassigned, $20::uuid as wanted_department_id, $21::uuid as wanted_category_id, $22::uuid as wanted_mailbox_id, $23::uuid as wanted_end_user_id, $24::uuid as wanted_external_user_id, $25::uuid as wanted_created_after, $26::uuid as wanted_created_before, $27::timestamptz as wanted_updated_after offset 0) given
    cross join lateral ((select case when n < 100 then version end as version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at
    from (select looked.*, row_number() over () as n from (select version, id, end_user_id, external_user_id, participant_ids, tag_ids, updated_at, last_message_at, sla_due_at, status, waiting_on, priority, channel, initiated_by_side, assignee_id, department_id, category_id, mailbox_id from conversations
    where tenant_id = $28
      and (id) > (given.above_id) and (id) < (given.below_id) order by id desc limit 100) looked) numbered
    where n = 100 or status = any(given.statuses) and (given.wanted_waiting_on is null or waiting_on = given.wanted_waiting_on) and (given.wanted_priority is null or priority = given.wanted_priority) and (given.wanted_channel is null or channel = given.wanted_channel) and (given.wanted_initiated_by_side is null or initiated_by_side = given.wanted_initiated_by_side) and (given.wanted_assignee_id is null or assignee_id = given.wanted_assignee_id) and (given.wanted_unassigned is null or assignee_id is null) and (given.wanted_department_id is null or department_id = given.wanted_department_id) and (given.wanted_category_id is null or category_id = given.wanted_category_id) and (given.wanted_mailbox_id is null or mailbox_id = given.wanted_mailbox_id) and (given.wanted_end_user_id is null or end_user_id = given.wanted_end_user_id) and (given.wanted_external_user_id is null or end_user_id = given.wanted_external_user_id) and (given.wanted_created_after is null or id > given.wanted_created_after) and (given.wanted_created_before is null or id < given.wanted_created_before) and (given.wanted_updated_after is null or updated_at > given.wanted_updated_after) limit 26)) conversations order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 and (coalesce(last_message_at, '-infinity'), id) < ($8, $9) order by coalesce(last_message_at, '-infinity') desc, id desc limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 and (end_user_id = any($8::uuid[]) or (end_user_id is null and external_user_id = $9)) order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 and (updated_at, id) < ($8, $9) order by updated_at desc, id desc limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 and end_user_id = any($8::uuid[]) order by id desc limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 and id in (select used.conversation_id from conversation_tags used where used.tenant_id = $8 and used.tag_id = any($9::uuid[])) order by id desc limit 26;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 order by coalesce(last_message_at, '-infinity') desc, id desc limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 order by id limit 10;

-- packages/server/src/support/desk/conversations/queries.ts: participantsOfConversations
select conversations.id, conversations.version, case when conversations.participant_ids = '{}' then '[]'::json else (
    select coalesce(json_agg(json_build_object('id', coalesce(taking.merged_into_id, taking.id), 'stored_id', taking.id,
        'address', one.address, 'source', coalesce(one.source, 'api'), 'confirmed', coalesce(one.confirmed, true),
        'since', to_char(one.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part.place), '[]'::json)
      from unnest(conversations.participant_ids) with ordinality as part (id, place)
        cross join lateral (select * from end_users one where one.tenant_id = $1 and one.id = part.id limit 1) taking
        left join conversation_participants one on one.tenant_id = $2 and one.end_user_id = part.id
          and one.conversation_id = conversations.id) end as participants, case when conversations.tag_ids = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(conversations.tag_ids) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = $3 and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = $4 and target.id = tag.merged_into_id) end as tags, (select generation from end_user_generations where tenant_id = $5) as end_users, (select generation from custom_field_generations where tenant_id = $6) as fields from conversations where conversations.tenant_id = $7 order by updated_at desc, id desc limit 10;

-- packages/server/src/support/desk/conversations/routing/queries.ts: anyWaitingFor
select 1 from departments d where d.tenant_id = $1 and (d.id in (select m.department_id from department_members m
    where m.tenant_id = $2 and m.operator_id = $3) or d.fallback_department_id in (select m.department_id from department_members m
    where m.tenant_id = $4 and m.operator_id = $5))
    and exists (select 1 from conversations
      where tenant_id = $6 and department_id = d.id and awaits_routing and assignee_id is null and status in ('new', 'open', 'pending')) limit 1;

-- packages/server/src/support/desk/conversations/routing/queries.ts: conversationLoad
select count(*) as open_conversations,
      count(*) filter (where assignee_id is null) as unassigned_conversations,
      min(created_at) filter (where assignee_id is null) as oldest_unassigned_at
    from conversations
    where tenant_id = $1 and department_id = $2 and status = any($3::text[]);

-- packages/server/src/support/desk/conversations/routing/queries.ts: countOfOperators
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $14, priority = $15, language = $16, external_id = $17, metadata = $18, follow_up_of_id = $19, status = $20, waiting_since = $21, message_count = $22, last_message_at = $23, last_message_side = $24, first_response_at = $25, resolved_at = $26, closed_at = $27, reopened_count = $28, merged_into_id = $29, read_by_end_user = $30, read_by_operator = $31, unread_by_end_user = $32, unread_by_operator = $33, updated_at = $34, version = $35, department_id = $36, category_id = $37, assignee_id = $38, assignment_strategy = $39, assignment_reason = $40, assigned_at = $41, awaits_routing = $42, waiting_on = $43, hold_reason_id = $44, hold_note = $45, hold_since = $46, hold_until = $47, resumes_on_reply = $48, sla_config_id = $49, sla_config_version = $50, sla_follows = $51, sla = $52, sla_due_at = $53, unanswered_since = $54, hold_pauses_sla = $55, company_id = $56, mailbox_id = $57, search = array_to_tsvector($58::text[]), tag_ids = $59, participant_ids = $60, custom_values = $61 where tenant_id = $62 and id = $63 and version = $64 returning 1), c0 as (update operators set open_conversations = open_conversations + v.count from (values ($65::uuid, $66::integer, $67::boolean)) as v (id, count, is_taken)
    where operators.tenant_id = $68 and operators.id = v.id
      and (not v.is_taken or status = 'online' and not archived
        and (capacity is null or open_conversations + v.count <= capacity)) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $69::bigint) + $70::bigint
    where tenant_id = $71 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $72::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($73::uuid, $74::text, $75::timestamptz, $76::uuid, $77::text, $78::uuid, $79::integer, $80::text, $81::text, $82::text, $83::text, $84::text, $85::text, $86::text, $87::json, $88::json, $89::json, $90::text, $91::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $92::bigint)::integer / ((select count(*) from c0) = $93::bigint)::integer / ((select count(*) from head) = $94::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/routing/queries.ts: countOfPlaces
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $14, priority = $15, language = $16, external_id = $17, metadata = $18, follow_up_of_id = $19, status = $20, waiting_since = $21, message_count = $22, last_message_at = $23, last_message_side = $24, first_response_at = $25, resolved_at = $26, closed_at = $27, reopened_count = $28, merged_into_id = $29, read_by_end_user = $30, read_by_operator = $31, unread_by_end_user = $32, unread_by_operator = $33, updated_at = $34, version = $35, department_id = $36, category_id = $37, assignee_id = $38, assignment_strategy = $39, assignment_reason = $40, assigned_at = $41, awaits_routing = $42, waiting_on = $43, hold_reason_id = $44, hold_note = $45, hold_since = $46, hold_until = $47, resumes_on_reply = $48, sla_config_id = $49, sla_config_version = $50, sla_follows = $51, sla = $52, sla_due_at = $53, unanswered_since = $54, hold_pauses_sla = $55, company_id = $56, mailbox_id = $57, search = array_to_tsvector($58::text[]), tag_ids = $59, participant_ids = $60, custom_values = $61 where tenant_id = $62 and id = $63 and version = $64 returning 1), c0 as (insert into operator_loads (tenant_id, operator_id, department_id, open, most)
    select $65::uuid, operator_id, department_id, count, most from (values ($66::uuid, $67::uuid, $68::integer, $69::integer)) as v (operator_id, department_id, count, most)
      where most is null or count <= most
    on conflict (tenant_id, operator_id, department_id)
    do update set open = operator_loads.open + excluded.open, most = excluded.most
      where excluded.most is null or operator_loads.open + excluded.open <= excluded.most
    returning 1), c1 as (update operators set open_conversations = open_conversations + v.count from (values ($70::uuid, $71::integer, $72::boolean)) as v (id, count, is_taken)
    where operators.tenant_id = $73 and operators.id = v.id
      and (not v.is_taken or status = 'online' and not archived
        and (capacity is null or open_conversations + v.count <= capacity)) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $74::bigint) + $75::bigint
    where tenant_id = $76 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $77::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($78::uuid, $79::text, $80::timestamptz, $81::uuid, $82::text, $83::uuid, $84::integer, $85::text, $86::text, $87::text, $88::text, $89::text, $90::text, $91::text, $92::json, $93::json, $94::json, $95::text, $96::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $97::bigint)::integer / ((select count(*) from c0) = $98::bigint)::integer / ((select count(*) from c1) = $99::bigint)::integer / ((select count(*) from head) = $100::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/routing/queries.ts: departmentsFallingBackTo
select id from departments where tenant_id = $1 and (id = $2 or fallback_department_id = $3);

-- packages/server/src/support/desk/conversations/routing/queries.ts: findOldestWaiting
select c.id, d.id as department_id from unnest($1::uuid[]) as d (id)
    cross join lateral (select id from conversations
      where tenant_id = $2 and department_id = d.id and awaits_routing and assignee_id is null and status in ('new', 'open', 'pending') order by id limit 1) c
    order by c.id;

-- packages/server/src/support/desk/conversations/routing/queries.ts: findRosters
with asked as (
      select d.id, d.assignment, v.decisions
        from (values ($1::uuid, $2::integer)) as v (id, decisions) join departments d on d.tenant_id = $3 and d.id = v.id),
    members as (
      select d.id as department_id, d.decisions, m.operator_id, m.turn, o.open_conversations,
          o.status = 'online' and not o.archived
    and (o.capacity is null or o.open_conversations < o.capacity)
    and ((d.assignment ->> 'max_open_per_operator')::integer is null or coalesce(l.open, 0) < (d.assignment ->> 'max_open_per_operator')::integer) as is_available, least(o.capacity - o.open_conversations, (d.assignment ->> 'max_open_per_operator')::integer - coalesce(l.open, 0)) as room,
          row_number() over (partition by d.id order by o.status = 'online' and not o.archived
    and (o.capacity is null or o.open_conversations < o.capacity)
    and ((d.assignment ->> 'max_open_per_operator')::integer is null or coalesce(l.open, 0) < (d.assignment ->> 'max_open_per_operator')::integer) desc, case when d.assignment ->> 'strategy' = 'least_busy' then o.open_conversations end, m.turn, m.operator_id) as place
        from asked d
          join department_members m on m.tenant_id = $4 and m.department_id = d.id
          join operators o on o.tenant_id = $5 and o.id = m.operator_id
          left join operator_loads l on l.tenant_id = $6 and l.department_id = d.id
            and l.operator_id = m.operator_id),
    rosters as (
      select department_id, max(turn) + 1 as next_turn, count(*) filter (where is_available) as available,
          json_agg(json_build_object('operator_id', operator_id, 'open_conversations', open_conversations,
            'room', room, 'turn', turn)) filter (where is_available and place <= decisions) as members
        from members group by department_id)
    select asked.id as department_id, asked.assignment,
      (select id from conversations
        where tenant_id = $7 and department_id = asked.id and awaits_routing and assignee_id is null and status in ('new', 'open', 'pending') order by id limit 1) as oldest_waiting,
      t.turn, coalesce(greatest(t.turn + 1, next_turn), 0) as next_turn,
      coalesce(available, 0) as available, coalesce(members, '[]') as members
    from asked left join rosters on department_id = asked.id
      left join department_turns t on t.tenant_id = $8 and t.department_id = asked.id;

-- packages/server/src/support/desk/conversations/routing/queries.ts: servedBy
select d.id from departments d where d.tenant_id = $1 and (d.id in (select m.department_id from department_members m
    where m.tenant_id = $2 and m.operator_id = $3) or d.fallback_department_id in (select m.department_id from department_members m
    where m.tenant_id = $4 and m.operator_id = $5));

-- packages/server/src/support/desk/conversations/routing/queries.ts: turnsOfDepartments
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from (values ($14::bigint)) as v (generation) where v.generation = coalesce((select generation from end_user_generations where tenant_id = $15), 0)), g1 as (select 1 from (values ($16::bigint)) as v (generation) where v.generation = coalesce((select generation from custom_field_generations where tenant_id = $17), 0)), g2 as (select 1 from unnest($18::bigint[]) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $19), 0)), w0 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) values ($20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, array_to_tsvector($69::text[]), $70, $71, $72, $73) returning 1), w1 as (insert into conversation_tags (tenant_id, tag_id, conversation_id) values ($74::uuid, $75::uuid, $76::uuid)
    on conflict (tenant_id, tag_id, conversation_id) do nothing returning 1), c0 as (update department_members set turn = v.turn from (values ($77::uuid, $78::uuid, $79::bigint)) as v (operator_id, department_id, turn)
    where department_members.tenant_id = $80 and department_members.department_id = v.department_id
      and department_members.operator_id = v.operator_id returning 1), c1 as (insert into department_turns (tenant_id, department_id, former, turn)
    select $81::uuid, v.department_id, v.former, v.turn from (values ($82::uuid, $83::bigint, $84::bigint)) as v (department_id, former, turn)
      where v.former is null or exists (select 1 from department_turns t
        where t.tenant_id = $85 and t.department_id = v.department_id)
    on conflict (tenant_id, department_id) do update set former = excluded.former, turn = excluded.turn
      where department_turns.turn = excluded.former
    returning 1), c2 as (insert into operator_loads (tenant_id, operator_id, department_id, open, most)
    select $86::uuid, operator_id, department_id, count, most from (values ($87::uuid, $88::uuid, $89::integer, $90::integer)) as v (operator_id, department_id, count, most)
      where most is null or count <= most
    on conflict (tenant_id, operator_id, department_id)
    do update set open = operator_loads.open + excluded.open, most = excluded.most
      where excluded.most is null or operator_loads.open + excluded.open <= excluded.most
    returning 1), c3 as (update operators set open_conversations = open_conversations + v.count from (values ($91::uuid, $92::integer, $93::boolean)) as v (id, count, is_taken)
    where operators.tenant_id = $94 and operators.id = v.id
      and (not v.is_taken or status = 'online' and not archived
        and (capacity is null or open_conversations + v.count <= capacity)) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $95::bigint) + $96::bigint
    where tenant_id = $97 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $98::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($99::uuid[], $100::text[], $101::timestamptz[], $102::uuid[], $103::text[], $104::uuid[], $105::integer[], $106::text[], $107::text[], $108::text[], $109::text[], $110::text[], $111::text[], $112::text[], $113::json[], $114::json[], $115::json[], $116::text[], $117::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $118::bigint)::integer / ((select count(*) from g1) = $119::bigint)::integer / ((select count(*) from g2) = $120::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from c0) = $121::bigint)::integer / ((select count(*) from c1) = $122::bigint)::integer / ((select count(*) from c2) = $123::bigint)::integer / ((select count(*) from c3) = $124::bigint)::integer / ((select count(*) from head) = $125::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/sla/queries.ts: happeningsOf
select events.created_at as at, resource_type, type, shown.status, shown.merged_into_id,
      shown.hold->>'hold_reason_id' as hold_reason_id, shown.first_response_at, shown.author_side, shown.visibility
    from events cross join lateral json_to_record(object) as shown
      (status text, merged_into_id text, hold json, first_response_at text, author_side text, visibility text)
    where tenant_id = $1 and stream_id = $2
      and resource_type in ('conversation', 'message') and type <> 'message.updated' and type <> 'message.redacted'
    order by epoch, position, ordinal;

-- packages/server/src/support/desk/conversations/sla/queries.ts: insertMoments
with g0 as (update conversations set subject = $1, priority = $2, language = $3, external_id = $4, metadata = $5, follow_up_of_id = $6, status = $7, waiting_since = $8, message_count = $9, last_message_at = $10, last_message_side = $11, first_response_at = $12, resolved_at = $13, closed_at = $14, reopened_count = $15, merged_into_id = $16, read_by_end_user = $17, read_by_operator = $18, unread_by_end_user = $19, unread_by_operator = $20, updated_at = $21, version = $22, department_id = $23, category_id = $24, assignee_id = $25, assignment_strategy = $26, assignment_reason = $27, assigned_at = $28, awaits_routing = $29, waiting_on = $30, hold_reason_id = $31, hold_note = $32, hold_since = $33, hold_until = $34, resumes_on_reply = $35, sla_config_id = $36, sla_config_version = $37, sla_follows = $38, sla = $39, sla_due_at = $40, unanswered_since = $41, hold_pauses_sla = $42, company_id = $43, mailbox_id = $44, search = array_to_tsvector($45::text[]), tag_ids = $46, participant_ids = $47, custom_values = $48 where tenant_id = $49 and id = $50 and version = $51 returning 1), g1 as (select 1 from (values ($52::bigint)) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $53), 0)), w0 as (insert into conversation_moments
      (tenant_id, conversation_id, at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version)
    select $54::uuid, conversation_id, at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version
      from unnest($55::uuid[], $56::timestamptz[], $57::text[], $58::boolean[], $59::boolean[], $60::timestamptz[], $61::text[], $62::uuid[], $63::integer[]) as v (conversation_id, at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version)
    on conflict (tenant_id, conversation_id, at) do update set status = excluded.status, paused = excluded.paused,
      answered = excluded.answered, unanswered_since = excluded.unanswered_since, priority = excluded.priority,
      sla_config_id = excluded.sla_config_id, sla_config_version = excluded.sla_config_version returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $64::bigint) + $65::bigint
    where tenant_id = $66 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $67::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($68::uuid, $69::text, $70::timestamptz, $71::uuid, $72::text, $73::uuid, $74::integer, $75::text, $76::text, $77::text, $78::text, $79::text, $80::text, $81::text, $82::json, $83::json, $84::json, $85::text, $86::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $87::bigint)::integer / ((select count(*) from g1) = $88::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $89::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/conversations/sla/queries.ts: momentsOf
select at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version
    from conversation_moments where tenant_id = $1 and conversation_id = $2 order by at;

-- packages/server/src/support/desk/conversations/sla/queries.ts: termsOfMoments
select used.sla_config_id, used.version, v.terms
    from (select distinct sla_config_id, sla_config_version as version from conversation_moments
      where tenant_id = $1 and conversation_id = $2 and sla_config_id is not null) used
    cross join lateral (select terms from sla_config_versions
      where tenant_id = $3 and sla_config_id = used.sla_config_id and version <= used.version
      order by version desc limit 1) v;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = $4 and sequence > $5 and (author_end_user_id = any($6::uuid[]) or (author_side = 'system' and messages.id in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = $7 and mailed.end_user_id = any($8::uuid[]) and mailed.message_id is not null))) order by sequence limit 100;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = $4 and sequence > $5 and (email is not null or delivery is not null or (author_end_user_id = any($6::uuid[]) or (author_side = 'end_user' and author_end_user_id is null) or (author_side = 'system' and messages.id in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = $7 and mailed.end_user_id = any($8::uuid[]) and mailed.message_id is not null)))) order by sequence limit 100;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = $4 and sequence > $5 and (visibility = 'public' or (author_end_user_id = any($6::uuid[]) or (author_side = 'end_user' and author_end_user_id is null) or (author_side = 'system' and messages.id in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = $7 and mailed.end_user_id = any($8::uuid[]) and mailed.message_id is not null)))) order by sequence limit 100;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = $4 and sequence > $5 and (visibility = 'public' or (author_end_user_id = any($6::uuid[]) or (author_side = 'system' and messages.id in (select mailed.message_id from inbound_emails mailed
    where mailed.tenant_id = $7 and mailed.end_user_id = any($8::uuid[]) and mailed.message_id is not null)))) order by sequence limit 100;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = any($4::uuid[]) and (conversation_id, sequence) > ($5, $6) order by conversation_id, sequence limit 10;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id = any($4::uuid[]) order by conversation_id, sequence limit 201;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id in (with recursive merged (id) as (
    select $4::uuid
    union
    select c.id from conversations c join merged on c.merged_into_id = merged.id where c.tenant_id = $5)
  select id from merged) and (created_at, id) < ($6, $7) order by created_at desc, id desc limit 10;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id in (with recursive merged (id) as (
    select $4::uuid
    union
    select c.id from conversations c join merged on c.merged_into_id = merged.id where c.tenant_id = $5)
  select id from merged) and (created_at, id) > ($6, $7) order by created_at, id limit 10;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body end as body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.body_html end as body_html, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) <= 8192 then messages.email end as email, messages.delivery, messages.mentions, case when (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) > 8192 then (coalesce(octet_length(messages.body), 0) + coalesce(octet_length(messages.body_html), 0) + coalesce(octet_length(messages.email::text), 0)) end as large_bytes, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from messages where messages.tenant_id = $3 and conversation_id in (with recursive merged (id) as (
    select $4::uuid
    union
    select c.id from conversations c join merged on c.merged_into_id = merged.id where c.tenant_id = $5)
  select id from merged) order by created_at desc, id desc limit 10;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select scheduled_messages.id, scheduled_messages.conversation_id, scheduled_messages.send_at, scheduled_messages.author_side, scheduled_messages.operator_id, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) <= 8192 then scheduled_messages.body end as body, scheduled_messages.body_format, scheduled_messages.visibility, scheduled_messages.template_id, scheduled_messages.in_reply_to_id, scheduled_messages.external_id, scheduled_messages.set_status, scheduled_messages.metadata, scheduled_messages.created_at, scheduled_messages.updated_at, scheduled_messages.version, scheduled_messages.attachments, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) <= 8192 then scheduled_messages.body_html end as body_html, scheduled_messages.email, scheduled_messages.mentions, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) > 8192 then (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) end as large_bytes, (case when scheduled_messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = scheduled_messages.id) end) as file_states from scheduled_messages where scheduled_messages.tenant_id = $3 and conversation_id = $4 order by send_at desc, id desc limit 10;

-- packages/server/src/support/desk/messages/attachments/queries.ts: fileStates
select scheduled_messages.id, scheduled_messages.conversation_id, scheduled_messages.send_at, scheduled_messages.author_side, scheduled_messages.operator_id, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) <= 8192 then scheduled_messages.body end as body, scheduled_messages.body_format, scheduled_messages.visibility, scheduled_messages.template_id, scheduled_messages.in_reply_to_id, scheduled_messages.external_id, scheduled_messages.set_status, scheduled_messages.metadata, scheduled_messages.created_at, scheduled_messages.updated_at, scheduled_messages.version, scheduled_messages.attachments, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) <= 8192 then scheduled_messages.body_html end as body_html, scheduled_messages.email, scheduled_messages.mentions, case when (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) > 8192 then (coalesce(octet_length(scheduled_messages.body), 0) + coalesce(octet_length(scheduled_messages.body_html), 0)) end as large_bytes, (case when scheduled_messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = scheduled_messages.id) end) as file_states from scheduled_messages where scheduled_messages.tenant_id = $3 and scheduled_messages.id = $4;

-- packages/server/src/support/desk/messages/email/queries.ts: findContents
select message_id, headers, text, html from email_contents
    where tenant_id = $1 and message_id = $2;

-- packages/server/src/support/desk/messages/email/queries.ts: insertContents
with w0 as (insert into email_contents (tenant_id, message_id, headers, text, html)
    select $1::uuid, message_id, headers, text, html from (values ($2::uuid, $3::json, $4::text, $5::text)) as v (message_id, headers, text, html) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/desk/messages/email/queries.ts: insertReferences
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update conversations set subject = $14, priority = $15, language = $16, external_id = $17, metadata = $18, follow_up_of_id = $19, status = $20, waiting_since = $21, message_count = $22, last_message_at = $23, last_message_side = $24, first_response_at = $25, resolved_at = $26, closed_at = $27, reopened_count = $28, merged_into_id = $29, read_by_end_user = $30, read_by_operator = $31, unread_by_end_user = $32, unread_by_operator = $33, updated_at = $34, version = $35, department_id = $36, category_id = $37, assignee_id = $38, assignment_strategy = $39, assignment_reason = $40, assigned_at = $41, awaits_routing = $42, waiting_on = $43, hold_reason_id = $44, hold_note = $45, hold_since = $46, hold_until = $47, resumes_on_reply = $48, sla_config_id = $49, sla_config_version = $50, sla_follows = $51, sla = $52, sla_due_at = $53, unanswered_since = $54, hold_pauses_sla = $55, company_id = $56, mailbox_id = $57, search = array_to_tsvector($58::text[]), tag_ids = $59, participant_ids = $60, custom_values = $61 where tenant_id = $62 and id = $63 and version = $64 returning 1), w0 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, email, delivery, mentions, search) values ($65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, array_to_tsvector($89::text[])) returning 1), w1 as (insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select $90::uuid, reference, message_id, conversation_id, is_sent, created_at from unnest($91::text[], $92::uuid[], $93::uuid[], $94::boolean[], $95::timestamptz[]) as v (reference, message_id, conversation_id, is_sent, created_at) returning 1), w2 as (insert into email_contents (tenant_id, message_id, headers, text, html)
    select $96::uuid, message_id, headers, text, html from (values ($97::uuid, $98::json, $99::text, $100::text)) as v (message_id, headers, text, html) returning 1), w3 as (insert into outgoing_emails (tenant_id, message_id, mailbox_id, mail_from, files, due_at)
    select $101::uuid, message_id, mailbox_id, mail_from, files, due_at from (values ($102::uuid, $103::uuid, $104::text, $105::json, $106::timestamptz)) as v (message_id, mailbox_id, mail_from, files, due_at) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $107::bigint) + $108::bigint
    where tenant_id = $109 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $110::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($111::uuid[], $112::text[], $113::timestamptz[], $114::uuid[], $115::text[], $116::uuid[], $117::integer[], $118::text[], $119::text[], $120::text[], $121::text[], $122::text[], $123::text[], $124::text[], $125::json[], $126::json[], $127::json[], $128::text[], $129::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $130::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from head) = $131::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/messages/email/queries.ts: insertReferences
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update messages set body = $14, metadata = $15, edited_at = $16, redacted_at = $17, updated_at = $18, version = $19, attachments = $20, body_html = $21, email = $22, delivery = $23, mentions = $24, search = array_to_tsvector($25::text[]) where tenant_id = $26 and id = $27 and version = $28 returning 1), w0 as (insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select $29::uuid, reference, message_id, conversation_id, is_sent, created_at from (values ($30::text, $31::uuid, $32::uuid, $33::boolean, $34::timestamptz)) as v (reference, message_id, conversation_id, is_sent, created_at) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $35::bigint) + $36::bigint
    where tenant_id = $37 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $38::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($39::uuid, $40::text, $41::timestamptz, $42::uuid, $43::text, $44::uuid, $45::integer, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::text, $53::json, $54::json, $55::json, $56::text, $57::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $58::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $59::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/messages/email/queries.ts: lastMailOf
select email from (select * from messages where tenant_id = $1
      and conversation_id = $2 order by sequence desc limit $3) recent
    where email is not null and author_end_user_id = $4 and email ->> 'direction' = 'inbound' order by sequence desc limit 1;

-- packages/server/src/support/desk/messages/email/queries.ts: lastMailOf
select email from (select * from messages where tenant_id = $1
      and conversation_id = $2 order by sequence desc limit $3) recent
    where email is not null and visibility = 'public' and email ->> 'header_message_id' is not null order by sequence desc limit 1;

-- packages/server/src/support/desk/messages/last/queries.ts: lastMessagesIn
select last.conversation_id, last.id as message_id, last.sequence, last.author_side, last.operator_id,
      last.author_end_user_id, last.body_format, left(last.body, $1) as body, last.created_at,
      coalesce(json_array_length(last.attachments), 0) as attachment_count,
      case when last.operator_id is not null then operator.name when target.id is not null then target.name
        else author.name end as author_name
    from unnest($2::uuid[]) wanted (id)
      cross join lateral (select * from messages where messages.tenant_id = $3
        and messages.conversation_id = wanted.id and messages.visibility = 'public'
        order by messages.sequence desc limit 1) last
      left join operators operator on operator.tenant_id = $4 and operator.id = last.operator_id
      left join end_users author on author.tenant_id = $5 and author.id = last.author_end_user_id
      left join end_users target on target.tenant_id = $6 and target.id = author.merged_into_id;

-- packages/server/src/support/desk/messages/outgoing/queries.ts: countAutomatic
select address, count(*) from automatic_emails where tenant_id = $1
    and address = any($2::text[]) and created_at > $3 group by address;

-- packages/server/src/support/desk/messages/outgoing/queries.ts: insertAutomatic
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update messages set body = $14, metadata = $15, edited_at = $16, redacted_at = $17, updated_at = $18, version = $19, attachments = $20, body_html = $21, email = $22, delivery = $23, mentions = $24, search = array_to_tsvector($25::text[]) where tenant_id = $26 and id = $27 and version = $28 returning 1), w0 as (insert into automatic_emails (tenant_id, address, message_id, created_at)
    select $29::uuid, address, message_id, created_at from (values ($30::text, $31::uuid, $32::timestamptz)) as v (address, message_id, created_at)
    on conflict (tenant_id, address, message_id) do update set created_at = excluded.created_at returning 1), w1 as (update outgoing_emails set due_at = v.due_at, unanswered = 0, attempts_before = v.attempts_before from (values ($33::uuid, $34::timestamptz, $35::integer)) as v (message_id, due_at, attempts_before)
    where outgoing_emails.tenant_id = $36 and outgoing_emails.message_id = v.message_id returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $37::bigint) + $38::bigint
    where tenant_id = $39 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $40::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($41::uuid, $42::text, $43::timestamptz, $44::uuid, $45::text, $46::uuid, $47::integer, $48::text, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::json, $56::json, $57::json, $58::text, $59::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $60::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $61::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/messages/outgoing/queries.ts: lastPublicMessage
select author_end_user_id, operator_id, body, body_format, body_html, created_at
    from messages where tenant_id = $1 and conversation_id = $2 and visibility = 'public'
    order by sequence desc limit 1;

-- packages/server/src/support/desk/messages/queries.ts: countRevisions
select count(*) from message_revisions
    where tenant_id = $1 and message_id = $2;

-- packages/server/src/support/desk/messages/queries.ts: countUnread
select count(*) from messages
    where tenant_id = $1 and conversation_id = $2 and sequence > $3
      and author_side = $4 and visibility = 'public';

-- packages/server/src/support/desk/messages/queries.ts: findMessageByExternalId
select id from messages where tenant_id = $1 and external_id = $2
      union select message_id from message_external_ids where tenant_id = $3 and external_id = $4 limit 1;

-- packages/server/src/support/desk/messages/queries.ts: lastSaid
select body from (
      select body, sequence, author_side, visibility from messages
      where tenant_id = $1 and conversation_id = $2 order by sequence desc limit $3) recent
    where author_side = 'end_user' and visibility = 'public' order by sequence desc limit $4;

-- packages/server/src/support/desk/messages/queries.ts: withMerged
with recursive merged (id) as (
    select $1::uuid
    union
    select c.id from conversations c join merged on c.merged_into_id = merged.id where c.tenant_id = $2)
  select id from merged;

-- packages/server/src/support/desk/messages/scheduled/queries.ts: findUnsent
select conversation_id from unsent_messages where tenant_id = $1 and id = $2;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: eventsToNotice
select epoch, position, ordinal, id, type, created_at, stream_id, resource_id,
      actor_type, actor_id, operator_id, request_id, is_imported,
      case when not is_fact then null when octet_length(object::text) <= $1::integer then object
        else (select row_to_json(o) from json_to_record(object) as o (author_side text, operator_id text,
          visibility text, sequence integer, mentions json, assignee_id text, department_id text, status text,
          follow_up_of_id text, merged_into_id text, source text, since text, sla json)) end as object,
      case when is_fact then (previous -> 'assignee_id')::text end as former_assignee,
      case when is_fact then (previous -> 'department_id')::text end as former_department,
      case when type = 'message.updated' then previous -> 'mentions' end as former_mentions,
      case when type in ('conversation.sla_warning', 'conversation.sla_breached') then previous end as former,
      case when type = 'notification_preferences.updated' then object end as preferences
    from (select events.*, (events.resource_type = 'follower' or events.resource_type = 'conversation' and events.type not in ('conversation.imported', 'conversation.read', 'conversation.tags_changed', 'conversation.held', 'conversation.resumed')
  or events.type in ('message.created', 'message.updated', 'notification_preferences.updated', 'operator.deleted')) as is_fact, audited is not null and audited like 'imported %' as is_imported
      from events where tenant_id = $2 and (events.epoch, events.position, events.ordinal) <= ($3::integer, $4::text::xid8, $5::integer) order by events.epoch, events.position, events.ordinal limit 1000) events order by events.epoch, events.position, events.ordinal;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: hasAnyOperator
select 1 from operators where tenant_id = $1 and not archived limit 1;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: laterChanges
select stream_id, type, (previous -> 'assignee_id')::text as former_assignee,
      object ->> 'operator_id' as operator_id, object ->> 'source' as source, object ->> 'since' as since
    from events where tenant_id = $1 and stream_id = any($2::uuid[])
      and (resource_type = 'follower' or resource_type = 'conversation' and previous -> 'assignee_id' is not null)
    order by epoch desc, position desc, ordinal desc;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: laterPreferences
select resource_id, previous from events
    where tenant_id = $1 and stream_id = any($2::uuid[]) and (events.epoch, events.position, events.ordinal) > ($3::integer, $4::text::xid8, $5::integer)
      and type = 'notification_preferences.updated' order by epoch desc, position desc, ordinal desc;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: notificationsAbout
select notifications.id, notifications.created_at, notifications.updated_at, notifications.version, notifications.operator_id, notifications.kind, notifications.reason, notifications.conversation_id, notifications.message_id, notifications.message_sequence, notifications.event_id, notifications.actor_type, notifications.actor_id, notifications.actor_operator_id, notifications.sla_metric, notifications.count, notifications.read_at, notifications.notified_at from notifications
    where notifications.tenant_id = $1 and notifications.conversation_id = any($2::uuid[])
      and (notifications.read_at is null or notifications.conversation_id = any($3::uuid[]))
    order by notifications.notified_at;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: onlineMembers
select department_id, operator_id from (
      select m.department_id, m.operator_id, row_number() over (partition by m.department_id order by m.operator_id) as place
      from department_members m join operators o on o.tenant_id = $1 and o.id = m.operator_id
      where m.tenant_id = $2 and m.department_id = any($3::uuid[])
        and o.status = 'online' and not o.archived) members
    where place <= $4 order by operator_id;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: pendingReadings
select epoch, position, ordinal, operator_id as "operatorId",
      conversation_id as "conversationId", nullif(kinds, '{}') as kinds, up_to_sequence as "upToSequence", up_to as "upTo", read_at as "readAt"
    from notification_readings where tenant_id = $1 order by epoch, position, ordinal;

-- packages/server/src/support/desk/notifications/noticing/queries.ts: presentConversations
select id, assignee_id, merged_into_id from conversations
    where tenant_id = $1 and id = any($2::uuid[]);

-- packages/server/src/support/desk/notifications/queries.ts: environmentsWithExpiredNotifications
select h.tenant_id as id
    from journal_heads h join environments e on e.id = h.tenant_id
    where exists (select 1 from notifications n where n.tenant_id = h.tenant_id
      and n.notified_at <= to_timestamp(($1::bigint + e.clock_offset_ms) / 1000.0) - make_interval(days => $2::integer));

-- packages/server/src/support/desk/notifications/queries.ts: findPreferences
select o.id, coalesce(p.created_at, o.created_at) as created_at,
      coalesce(p.updated_at, o.created_at) as updated_at, coalesce(p.version, 1) as version, p.kinds, p.follow,
      p.id is not null as is_set, o.archived as is_archived
    from operators o left join notification_preferences p on p.tenant_id = $1 and p.id = o.id
    where o.tenant_id = $2 and o.id = any($3::uuid[]);

-- packages/server/src/support/desk/notifications/queries.ts: findUnread
select id from notifications where tenant_id = $1 and operator_id = $2
    and conversation_id = $3 and kind = $4 and read_at is null;

-- packages/server/src/support/desk/notifications/queries.ts: insertReadings
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update journal_positions set ordinal = ordinal + 1
    where tenant_id = $14 and follower = $15 and (epoch, position, ordinal) = ($16::integer, $17::text::xid8, $18::integer) returning 1), w0 as (insert into notification_readings (tenant_id, id, operator_id, epoch, position, ordinal, read_at,
      conversation_id, kinds, up_to_sequence, up_to)
    select $19::uuid, id, operator_id, epoch, position::xid8, ordinal, read_at, conversation_id,
      array(select jsonb_array_elements_text(v.kinds::jsonb)), up_to_sequence, up_to
    from (values ($20::uuid, $21::uuid, $22::integer, $23::text, $24::integer, $25::timestamptz, $26::uuid, $27::text, $28::integer, $29::timestamptz)) as v (id, operator_id, epoch, position, ordinal, read_at, conversation_id, kinds, up_to_sequence, up_to) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $30::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/desk/notifications/queries.ts: keptOf
select count(*) from (select 1 from notifications where notifications.tenant_id = $1 and operator_id = $2 and notified_at > $3::timestamptz - make_interval(days => $4::integer) and read_at is not null limit $5) found;

-- packages/server/src/support/desk/notifications/queries.ts: keptOf
select count(*) from (select 1 from notifications where notifications.tenant_id = $1 and operator_id = $2 and notified_at > $3::timestamptz - make_interval(days => $4::integer) limit $5) found;

-- packages/server/src/support/desk/notifications/queries.ts: keptOf
select notifications.id, notifications.created_at, notifications.updated_at, notifications.version, notifications.operator_id, notifications.kind, notifications.reason, notifications.conversation_id, notifications.message_id, notifications.message_sequence, notifications.event_id, notifications.actor_type, notifications.actor_id, notifications.actor_operator_id, notifications.sla_metric, notifications.count, notifications.read_at, notifications.notified_at from notifications where notifications.tenant_id = $1 and operator_id = $2 and notified_at > $3::timestamptz - make_interval(days => $4::integer) and (notified_at, id) < ($5, $6) order by notified_at desc, id desc limit 10;

-- packages/server/src/support/desk/notifications/queries.ts: keptOf
select notifications.id, notifications.created_at, notifications.updated_at, notifications.version, notifications.operator_id, notifications.kind, notifications.reason, notifications.conversation_id, notifications.message_id, notifications.message_sequence, notifications.event_id, notifications.actor_type, notifications.actor_id, notifications.actor_operator_id, notifications.sla_metric, notifications.count, notifications.read_at, notifications.notified_at from notifications where notifications.tenant_id = $1 and operator_id = $2 and notified_at > $3::timestamptz - make_interval(days => $4::integer) and read_at is null and conversation_id = $5 and coalesce(message_sequence, 0) <= $6::integer order by notified_at desc, id desc limit 2000;

-- packages/server/src/support/desk/notifications/queries.ts: preferenceTable
with g0 as (insert into notification_preferences (tenant_id, id, created_at, updated_at, version, kinds, follow)
      select $1::uuid, id, created_at, updated_at, version, kinds, follow from (values ($2::uuid, $3::timestamptz, $4::timestamptz, $5::integer, $6::json, $7::json)) as v (id, created_at, updated_at, version, kinds, follow)
      on conflict (tenant_id, id) do update set updated_at = excluded.updated_at, version = excluded.version,
        kinds = excluded.kinds, follow = excluded.follow
      where notification_preferences.version = excluded.version - 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $8::bigint) + $9::bigint
    where tenant_id = $10 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $11::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($12::uuid, $13::text, $14::timestamptz, $15::uuid, $16::text, $17::uuid, $18::integer, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::text, $26::json, $27::json, $28::json, $29::text, $30::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $31::bigint)::integer / ((select count(*) from head) = $32::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/notifications/queries.ts: preferenceTable
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from operators o left join notification_preferences p on p.tenant_id = $14 and p.id = o.id
      where o.tenant_id = $15 and o.id = any($16::uuid[])
        and coalesce(p.version, 1) = $17) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $18::bigint)::integer;

-- packages/server/src/support/desk/notifications/queries.ts: sweepNotifications
delete from notifications where tenant_id = $1 and id in (
      select id from notifications old where old.tenant_id = $2 and old.notified_at <= $3
      order by old.notified_at limit $4) returning 1;

-- packages/server/src/support/desk/notifications/queries.ts: trimNotifications
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1), w0 as (insert into notifications (tenant_id, id, created_at, updated_at, version, operator_id, kind, reason, conversation_id, message_id, message_sequence, event_id, actor_type, actor_id, actor_operator_id, sla_metric, count, read_at, notified_at) values ($9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27) returning 1), w1 as (delete from notification_readings where tenant_id = $28
    and (epoch, position, ordinal) <= ($29::integer, $30::text::xid8, $31::integer) returning 1), w2 as (delete from notifications where tenant_id = $32 and id <> all($33::uuid[]) and id in (
    select old.id from unnest($34::uuid[], $35::integer[])
        as trimmed (operator_id, coming)
      cross join lateral (select one.id from notifications one
        where one.tenant_id = $36 and one.operator_id = trimmed.operator_id
        order by one.notified_at desc, one.id desc offset greatest(0, $37::integer - trimmed.coming)) old) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $38::bigint) + $39::bigint
    where tenant_id = $40 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $41::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($42::uuid, $43::text, $44::timestamptz, $45::uuid, $46::text, $47::uuid, $48::integer, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::json, $57::json, $58::json, $59::text, $60::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $61::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $62::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/desk/notifications/queries.ts: unreadOf
select operator_id, kind, count(*)::integer as count, max(notified_at) as notified_at from notifications
    where tenant_id = $1 and operator_id = any($2::uuid[]) and read_at is null
      and notified_at > $3::timestamptz - make_interval(days => $4::integer)
    group by operator_id, kind;

-- packages/server/src/support/desk/read-states/queries.ts: environmentsWithOldReadStates
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select marked_at from read_states
      where read_states.tenant_id = h.tenant_id order by marked_at limit 1) oldest
    where extract(epoch from oldest.marked_at) * 1000
      < $1::bigint + e.clock_offset_ms - $2::bigint;

-- packages/server/src/support/desk/read-states/queries.ts: insertMarks
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update journal_positions set ordinal = ordinal + 1
    where tenant_id = $14 and follower = $15 and (epoch, position, ordinal) = ($16::integer, $17::text::xid8, $18::integer) returning 1), g1 as (insert into read_states (tenant_id, conversation_id, operator_id, up_to_sequence, own_after, marked_at)
    select $19::uuid, conversation_id, operator_id, up_to_sequence, own_after, marked_at from (values ($20::uuid, $21::uuid, $22::integer, $23::integer, $24::timestamptz)) as v (conversation_id, operator_id, up_to_sequence, own_after, marked_at)
    on conflict (tenant_id, conversation_id, operator_id) do nothing returning 1), w0 as (insert into notification_readings (tenant_id, id, operator_id, epoch, position, ordinal, read_at,
      conversation_id, kinds, up_to_sequence, up_to)
    select $25::uuid, id, operator_id, epoch, position::xid8, ordinal, read_at, conversation_id,
      array(select jsonb_array_elements_text(v.kinds::jsonb)), up_to_sequence, up_to
    from (values ($26::uuid, $27::uuid, $28::integer, $29::text, $30::integer, $31::timestamptz, $32::uuid, $33::text, $34::integer, $35::timestamptz)) as v (id, operator_id, epoch, position, ordinal, read_at, conversation_id, kinds, up_to_sequence, up_to) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $36::bigint)::integer / ((select count(*) from g1) = $37::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/desk/read-states/queries.ts: markOf
select mark.up_to, seen.up_to_sequence, seen.own_after
    from unnest($1::uuid[]) wanted (id)
      join operators reader on reader.tenant_id = $2 and reader.id = $3
      left join read_states seen on seen.tenant_id = $4 and seen.conversation_id = wanted.id
      and seen.operator_id = reader.id
    cross join lateral (select greatest(coalesce(seen.up_to_sequence, 0), coalesce((select passed.sequence from messages passed
    where passed.tenant_id = $5 and passed.conversation_id = wanted.id
      and passed.sequence > coalesce(seen.own_after, 0)
      and (passed.operator_id = reader.id or (seen.operator_id is null and passed.created_at < reader.created_at))
    order by passed.sequence desc limit 1), 0)) as up_to) mark;

-- packages/server/src/support/desk/read-states/queries.ts: markOf
select wanted.id as conversation_id, reader.id as operator_id, mark.up_to as up_to_sequence,
      (select count(*) from (select 1 from messages one where one.tenant_id = $1 and one.conversation_id = wanted.id
    and one.sequence > mark.up_to and one.author_side <> 'system' and one.operator_id is distinct from reader.id limit $2) unread)::integer as unread_count
    from unnest($3::uuid[]) wanted (id)
      join operators reader on reader.tenant_id = $4 and reader.id = $5
      left join read_states seen on seen.tenant_id = $6 and seen.conversation_id = wanted.id
      and seen.operator_id = reader.id
    cross join lateral (select greatest(coalesce(seen.up_to_sequence, 0), coalesce((select passed.sequence from messages passed
    where passed.tenant_id = $7 and passed.conversation_id = wanted.id
      and passed.sequence > coalesce(seen.own_after, 0)
      and (passed.operator_id = reader.id or (seen.operator_id is null and passed.created_at < reader.created_at))
    order by passed.sequence desc limit 1), 0)) as up_to) mark;

-- packages/server/src/support/desk/read-states/queries.ts: markOf
with met as materialized (
        select 1 from (select * from conversations where conversations.tenant_id = $1 and status = any($2::text[]) and assignee_id is null limit $3) conversations where case when clock_timestamp() - statement_timestamp() < $4 * interval '1 millisecond' then ((coalesce(conversations.status = any($5::text[]), false) and not coalesce(conversations.assignee_id is not null, false)) and coalesce((conversations.closed_at is null or conversations.closed_at > $6::timestamptz)
    and exists (select 1 from operators reader left join read_states seen on seen.tenant_id = $7 and seen.conversation_id = conversations.id
      and seen.operator_id = reader.id
    cross join lateral (select greatest(coalesce(seen.up_to_sequence, 0), coalesce((select passed.sequence from messages passed
    where passed.tenant_id = $8 and passed.conversation_id = conversations.id
      and passed.sequence > coalesce(seen.own_after, 0)
      and (passed.operator_id = reader.id or (seen.operator_id is null and passed.created_at < reader.created_at))
    order by passed.sequence desc limit 1), 0)) as up_to) mark
      where reader.tenant_id = $9 and reader.id = $10::uuid and conversations.message_count > mark.up_to
        and exists (select 1 from messages one where one.tenant_id = $11 and one.conversation_id = conversations.id
    and one.sequence > mark.up_to and one.author_side <> 'system' and one.operator_id is distinct from reader.id)), false)) end limit $12),
      counted as materialized (select count(*) as met from met)
      select met, met <= $13 and clock_timestamp() - statement_timestamp() < $14 * interval '1 millisecond' and (select count(*) from (select 1 from conversations where conversations.tenant_id = $15 and status = any($16::text[]) and assignee_id is null limit $17) each) < $18 as is_whole
      from counted;

-- packages/server/src/support/desk/read-states/queries.ts: moveMarks
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update read_states set up_to_sequence = v.up_to_sequence, own_after = v.own_after, marked_at = v.marked_at
    from (values ($14::uuid, $15::uuid, $16::integer, $17::integer, $18::timestamptz, $19::integer, $20::integer)) as v (conversation_id, operator_id, up_to_sequence, own_after, marked_at, was_up_to, was_own_after)
    where read_states.tenant_id = $21 and read_states.conversation_id = v.conversation_id
      and read_states.operator_id = v.operator_id and read_states.up_to_sequence = v.was_up_to
      and read_states.own_after = v.was_own_after returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $22::bigint)::integer;

-- packages/server/src/support/desk/read-states/queries.ts: perhapsUnread
select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from (select id from conversations where tenant_id = $1
      and status in ('new', 'open', 'pending', 'on_hold', 'resolved')
    union all select id from conversations where tenant_id = $2 and status = 'closed'
      and updated_at > $3::timestamptz) candidate limit $4) few;

-- packages/server/src/support/desk/read-states/queries.ts: sweepReadStates
with old as materialized (
      select conversation_id, operator_id, exists (select 1 from conversations c where c.tenant_id = $1
        and c.id = conversation_id and (c.closed_at is null or c.closed_at > $2::timestamptz)) as is_needed
      from read_states where tenant_id = $3 and marked_at <= $4::timestamptz
      order by marked_at limit $5),
    gone as (delete from read_states using old where read_states.tenant_id = $6 and not old.is_needed
      and read_states.conversation_id = old.conversation_id and read_states.operator_id = old.operator_id returning 1),
    kept as (update read_states set marked_at = $7 from old where read_states.tenant_id = $8
      and old.is_needed and read_states.conversation_id = old.conversation_id
      and read_states.operator_id = old.operator_id returning 1)
    select count(*) as looked_at from old;

-- packages/server/src/support/desk/read-states/queries.ts: toRead
select
      (select count(*) from (select 1 from messages one where one.tenant_id = $1 and one.conversation_id = $2
    and one.sequence > $3 and one.author_side <> 'system' and one.operator_id is distinct from reader.id limit $4) unread)::integer as count,
      (select one.sequence from messages one where one.tenant_id = $5 and one.conversation_id = $6
    and one.sequence > $7 and one.author_side <> 'system' and one.operator_id is distinct from reader.id order by one.sequence desc limit 1) as newest
    from (select $8::uuid as id) reader;

-- packages/server/src/support/desk/views/queries.ts: findViewByName
select id from views where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/desk/views/queries.ts: visibleTo
select count(*) from (select 1 from views where views.tenant_id = $1 and not archived and true and ((operator_ids = '{}' and department_ids = '{}') or $2::uuid = any(operator_ids)
    or exists (select 1 from department_members member where member.tenant_id = $3
      and member.operator_id = $4 and member.department_id = any(views.department_ids))) limit $5) found;

-- packages/server/src/support/desk/views/queries.ts: visibleTo
select id from views where tenant_id = $1 and id = any($2::uuid[]) and (operator_ids = '{}' or ((operator_ids = '{}' and department_ids = '{}') or $3::uuid = any(operator_ids)
    or exists (select 1 from department_members member where member.tenant_id = $4
      and member.operator_id = $5 and member.department_id = any(views.department_ids))));

-- packages/server/src/support/desk/views/queries.ts: visibleTo
select views.id, views.name, views.description, views.applies_to, views.filter, views.sort, views.columns, views.operator_ids, views.department_ids, views.position, views.archived, views.created_at, views.updated_at, views.version from views where views.tenant_id = $1 and not archived and true and ((operator_ids = '{}' and department_ids = '{}') or $2::uuid = any(operator_ids)
    or exists (select 1 from department_members member where member.tenant_id = $3
      and member.operator_id = $4 and member.department_id = any(views.department_ids))) order by position, id limit 26;

-- packages/server/src/support/files/queries.ts: conversationsShowing
select distinct m.conversation_id as id
    from message_files u join messages m on m.tenant_id = $1 and m.id = u.message_id
    where u.tenant_id = $2 and u.file_id = $3 and m.visibility = 'public' limit 10;

-- packages/server/src/support/files/queries.ts: countUnused
select count(*) from (select 1 from files
    where tenant_id = $1 and end_user_id = $2 and use_count = 0 limit $3) unused;

-- packages/server/src/support/files/queries.ts: deniedExtensions
select file_types_denied as denied from environments where id = $1;

-- packages/server/src/support/files/queries.ts: findFileWithEnvironment
select id as "tenantId", workspace_id as "workspaceId", kind,
      clock_offset_ms as "clockOffsetMs" from environments where id = $1;

-- packages/server/src/support/files/queries.ts: messagesWith
select message_id from message_files where tenant_id = $1 and file_id = $2 order by message_id;

-- packages/server/src/support/files/tasks/queries.ts: claimTasks
update file_tasks set due_at = $1 from (
      select file_id, task from file_tasks where tenant_id = $2 and task = $3 and due_at <= $4
      order by due_at limit $5 for update skip locked) mine
    where file_tasks.tenant_id = $6 and file_tasks.file_id = mine.file_id and file_tasks.task = mine.task
    returning file_tasks.file_id, file_tasks.task, file_tasks.copies, file_tasks.final_at, file_tasks.failures;

-- packages/server/src/support/files/tasks/queries.ts: environmentsWithTasks
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select 1 from file_tasks
      where file_tasks.tenant_id = h.tenant_id and file_tasks.task = $1 and file_tasks.due_at <= $2 limit 1) due;

-- packages/server/src/support/files/tasks/queries.ts: finishTask
delete from file_tasks
    where tenant_id = $1 and file_id = $2 and task = $3 and due_at = $4;

-- packages/server/src/support/files/tasks/queries.ts: insertScans
insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($1, $2, $3, $4, $5, $6, 0);

-- packages/server/src/support/files/tasks/queries.ts: postponeTask
update file_tasks set due_at = $1, failures = $2
    where tenant_id = $3 and file_id = $4 and task = $5 and due_at = $6;

-- packages/server/src/support/files/tasks/queries.ts: reserveCopy

    insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    select $1::uuid, id, 'tidy', 1, $2::timestamptz, $3::timestamptz, 0 from files
    where tenant_id = $4 and id = $5 and status = 'awaiting_upload'
    on conflict (tenant_id, file_id, task) do update
      set copies = file_tasks.copies + 1, due_at = excluded.due_at, final_at = excluded.final_at
    returning copies;

-- packages/server/src/support/files/tasks/queries.ts: reserveFirstCopy
insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($1, $2, 'tidy', 1, $3, $4, 0);

-- packages/server/src/support/files/tasks/queries.ts: tidySoon
with g0 as (delete from due_work using (values ($1::text, $2::uuid, $3::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (delete from files where tenant_id = $5 and (id, version) in (($6::uuid, $7::integer), ($8::uuid, $9::integer), ($10::uuid, $11::integer)) returning 1), w0 as (delete from job_results where tenant_id = $12 and job_id = $13 and place <= $14 returning 1), w1 as (delete from job_selections where tenant_id = $15 and job_id = $16 returning 1), w2 as (insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($17, $18, $19, $20, $21, $22, 0), ($23, $24, $25, $26, $27, $28, 0), ($29, $30, $31, $32, $33, $34, 0)
    on conflict (tenant_id, file_id, task) do update set due_at = excluded.due_at, final_at = excluded.final_at,
      copies = greatest(file_tasks.copies, excluded.copies) returning 1), w3 as (delete from file_tasks
    where tenant_id = $35 and file_id = any($36::uuid[]) and task = 'scan' returning 1) select 1 / ((select count(*) from g0) = $37::bigint)::integer / ((select count(*) from g1) = $38::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer;

-- packages/server/src/support/files/tasks/queries.ts: tidySoon
with g0 as (delete from files where tenant_id = $1 and id = $2 and version = $3 returning 1), g1 as (update jobs set status = $4, params = $5, state = $6, done = $7, total = $8, failed = $9, result = $10, error = $11, started_at = $12, ended_at = $13, expires_at = $14, updated_at = $15, version = $16, attempts = $17 where tenant_id = $18 and id = $19 and version = $20 returning 1), w0 as (update jobs set erases_params = true, attempts = attempts - (status = 'running')::integer,
      version = version + 1
    where tenant_id = $21 and id = any($22::uuid[]) returning 1), w1 as (insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($23, $24, $25, $26, $27, $28, 0)
    on conflict (tenant_id, file_id, task) do update set due_at = excluded.due_at, final_at = excluded.final_at,
      copies = greatest(file_tasks.copies, excluded.copies) returning 1), w2 as (delete from file_tasks
    where tenant_id = $29 and file_id = any($30::uuid[]) and task = 'scan' returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $31::bigint) + $32::bigint
    where tenant_id = $33 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $34::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($35::uuid, $36::text, $37::timestamptz, $38::uuid, $39::text, $40::uuid, $41::integer, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::json, $50::json, $51::json, $52::text, $53::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $54::bigint)::integer / ((select count(*) from g1) = $55::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $56::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/files/tasks/queries.ts: tidySoon
with g0 as (delete from kb_articles where tenant_id = $1 and id = $2 and version = $3 returning 1), g1 as (delete from files where tenant_id = $4 and id = $5 and version = $6 returning 1), w0 as (delete from kb_slugs where tenant_id = $7 and article_id = $8 returning 1), w1 as (delete from search_documents where tenant_id = $9 and kind = $10 and id = $11 returning 1), w2 as (delete from kb_article_versions where tenant_id = $12 and article_id = $13 returning 1), w3 as (delete from votes where tenant_id = $14 and subject_id = $15 returning 1), w4 as (delete from vote_counts where tenant_id = $16 and subject_id = $17 returning 1), w5 as (delete from kb_article_files where tenant_id = $18 and article_id = $19 returning 1), w6 as (insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($20, $21, $22, $23, $24, $25, 0)
    on conflict (tenant_id, file_id, task) do update set due_at = excluded.due_at, final_at = excluded.final_at,
      copies = greatest(file_tasks.copies, excluded.copies) returning 1), w7 as (delete from file_tasks
    where tenant_id = $26 and file_id = any($27::uuid[]) and task = 'scan' returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $28::bigint) + $29::bigint
    where tenant_id = $30 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $31::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($32::uuid[], $33::text[], $34::timestamptz[], $35::uuid[], $36::text[], $37::uuid[], $38::integer[], $39::text[], $40::text[], $41::text[], $42::text[], $43::text[], $44::text[], $45::text[], $46::json[], $47::json[], $48::json[], $49::text[], $50::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $51::bigint)::integer / ((select count(*) from g1) = $52::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from head) = $53::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/audit-log/queries.ts: columnsOf
select epoch, position, ordinal, id, type, created_at, actor_type, actor_id, operator_id,
  resource_type, resource_id, request_id, ip, user_agent, case when previous::text = '{}' and audited is null then null else object::text end as object,
  previous::text, audited, erased::text, case when erased is not null then exists (
    select 1 from events redaction where redaction.tenant_id = $1 and redaction.stream_id = events.stream_id
      and redaction.resource_id = events.resource_id and redaction.type = events.resource_type || '.redacted')
    or case when erased ->> '*by' ~ $2 then exists (
      select 1 from events erasure where erasure.tenant_id = $3 and erasure.stream_id = (events.erased ->> '*by')::uuid
        and erasure.resource_id = case when events.erased ->> '*resource' ~ $4
  then (events.erased ->> '*resource')::uuid else erasure.stream_id end
        and erasure.type in ('conversation.deleted', 'end_user.erased', 'message.redacted')) else false end
    end as is_redacted from (
      select * from events where tenant_id = $5 and stream_id = $6 order by events.epoch desc, events.position desc, events.ordinal desc limit $7) events
    where resource_id = $8 order by events.epoch desc, events.position desc, events.ordinal desc limit $9;

-- packages/server/src/support/integration/audit-log/queries.ts: columnsOf
select epoch, position, ordinal, id, type, created_at, actor_type, actor_id, operator_id,
  resource_type, resource_id, request_id, ip, user_agent, case when previous::text = '{}' and audited is null then null else object::text end as object,
  previous::text, audited, erased::text, case when erased is not null then exists (
    select 1 from events redaction where redaction.tenant_id = $1 and redaction.stream_id = events.stream_id
      and redaction.resource_id = events.resource_id and redaction.type = events.resource_type || '.redacted')
    or case when erased ->> '*by' ~ $2 then exists (
      select 1 from events erasure where erasure.tenant_id = $3 and erasure.stream_id = (events.erased ->> '*by')::uuid
        and erasure.resource_id = case when events.erased ->> '*resource' ~ $4
  then (events.erased ->> '*resource')::uuid else erasure.stream_id end
        and erasure.type in ('conversation.deleted', 'end_user.erased', 'message.redacted')) else false end
    end as is_redacted from (
      select * from events where tenant_id = $5 order by events.epoch, events.position, events.ordinal limit $6) events
    where true order by events.epoch, events.position, events.ordinal limit $7;

-- packages/server/src/support/integration/audit-log/queries.ts: countIds
select id, count(*) from events
    where tenant_id = $1 and id = any($2::uuid[]) group by id;

-- packages/server/src/support/integration/audit-log/queries.ts: endOfScan
with scan as materialized (
      select epoch, position, ordinal, (actor_id = $1 or operator_id = $2) as passes from events where tenant_id = $3 order by events.epoch desc, events.position desc, events.ordinal desc limit $4)
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: endOfScan
with scan as materialized (
      select epoch, position, ordinal, created_at < $1 as passes from events where tenant_id = $2 and (events.epoch, events.position, events.ordinal) < ($3::integer, $4::text::xid8, $5::integer) order by events.epoch desc, events.position desc, events.ordinal desc limit $6)
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: endOfScan
with scan as materialized (
      select epoch, position, ordinal, created_at > $1 as passes from events where tenant_id = $2 and (events.epoch, events.position, events.ordinal) > ($3::integer, $4::text::xid8, $5::integer) order by events.epoch desc, events.position desc, events.ordinal desc limit $6)
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: endOfScan
with scan as materialized (
      select epoch, position, ordinal, resource_id = $1 as passes from events where tenant_id = $2 and stream_id = $3 order by events.epoch desc, events.position desc, events.ordinal desc limit $4)
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: endOfScan
with scan as materialized (
      select epoch, position, ordinal, true as passes from events where tenant_id = $1 order by events.epoch desc, events.position desc, events.ordinal desc limit $2)
    select epoch, position, ordinal, (select count(*) from scan) as scanned, (select count(*) from scan where passes) as passed
    from scan events order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: findBlockNumber
select number from audit_blocks where tenant_id = $1 and head = $2 order by number limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: findBlocks
select number, epoch, position, ordinal, entries, head, sealed_at from audit_blocks
    where tenant_id = $1 and number > $2 and number <= $3 order by number limit $4;

-- packages/server/src/support/integration/audit-log/queries.ts: findLastBlock
select number, epoch, position, ordinal, entries, head, sealed_at from audit_blocks where tenant_id = $1 order by number desc limit 1;

-- packages/server/src/support/integration/audit-log/queries.ts: findSealed
select b.number as last, p.epoch, p.position, p.ordinal from environments e
    left join journal_positions p on p.tenant_id = $1 and p.follower = $2
    left join lateral (select number from audit_blocks where tenant_id = $3 order by number desc limit 1) b on true
    where e.id = $4;

-- packages/server/src/support/integration/events/queries.ts: endOfScan
with scanned as materialized (
      select epoch, position, ordinal from events where tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) order by events.epoch, events.position, events.ordinal limit $8)
    select epoch, position, ordinal, (select count(*) from scanned) as scanned from scanned events order by events.epoch desc, events.position desc, events.ordinal desc limit 1;

-- packages/server/src/support/integration/events/queries.ts: eventsAfter
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, case when is_small then object::text end as object,
        case when is_small then previous::text end as previous, case when is_small then related::text end as related
      from (select events.*, sum((octet_length(object::text) + octet_length(previous::text) + coalesce(octet_length(related::text), 0))) over (order by events.epoch, events.position, events.ordinal) <= $1 as is_small from (select * from events
    where tenant_id = $2 and (events.epoch, events.position, events.ordinal) > ($3::integer, $4::text::xid8, $5::integer) order by events.epoch, events.position, events.ordinal limit 10) events) events order by events.epoch, events.position, events.ordinal;

-- packages/server/src/support/integration/events/queries.ts: eventsOfResource

    select id, epoch, position, ordinal, request_id, idempotency_key, object::text, previous::text, related::text, audited, erased::text from events
    where tenant_id = $1 and stream_id = any($2::uuid[]) and resource_id = $3;

-- packages/server/src/support/integration/events/queries.ts: headColumns
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, object::text, previous::text, related::text from events
    where tenant_id = $1 and id = $2 and (events.epoch, events.position, events.ordinal) > ($3::integer, $4::text::xid8, $5::integer) and (events.epoch, events.position, events.ordinal) < ($6::integer, $7::text::xid8, $8::integer) and not exists (select 1 from journal_floors floor where floor.tenant_id = $9
    and (floor.epoch, floor.position, floor.ordinal) >= (events.epoch, events.position, events.ordinal));

-- packages/server/src/support/integration/events/queries.ts: headColumns
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, object::text, previous::text, related::text from events
    where tenant_id = $1 and stream_id = $2 and not exists (select 1 from journal_floors floor where floor.tenant_id = $3
    and (floor.epoch, floor.position, floor.ordinal) >= (events.epoch, events.position, events.ordinal)) order by events.epoch, events.position, events.ordinal limit $4;

-- packages/server/src/support/integration/events/queries.ts: headColumns
select epoch, position, ordinal, id, type, created_at, stream_id, actor_type, actor_id, operator_id, request_id,
  idempotency_key, resource_type, resource_id, resource_version, object::text, previous::text, related::text from events where tenant_id = $1
      and (epoch, position, ordinal) in (select epoch, position::xid8, ordinal from unnest($2::integer[],
        $3::text[], $4::integer[]) place (epoch, position, ordinal))
       and not exists (select 1 from journal_floors floor where floor.tenant_id = $5
    and (floor.epoch, floor.position, floor.ordinal) >= (events.epoch, events.position, events.ordinal));

-- packages/server/src/support/integration/events/queries.ts: isFor
select count(*) from (select 1 from events where tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) and (type = any($8::text[]) or split_part(type, '.', 1) = any($9::text[])) and case when resource_type = $10 then coalesce((object::jsonb #> $11::text[]) = '[]' or (object::jsonb #> $12::text[]) ? $13, true) else true end and case when resource_type = $14 then coalesce((object::jsonb #> $15::text[]) = '[]' or (object::jsonb #> $16::text[]) ? $17, true) else true end and case when resource_type = $18 then coalesce((object::jsonb #> $19::text[]) = '[]' or (object::jsonb #> $20::text[]) ? $21, true) else true end limit $22) found;

-- packages/server/src/support/integration/events/queries.ts: positionAt
select epoch, position, ordinal, created_at from events
        where tenant_id = $1 and (events.epoch, events.position, events.ordinal) < ($2::integer, $3::text::xid8, $4::integer) order by events.epoch desc, events.position desc, events.ordinal desc limit 1;

-- packages/server/src/support/integration/events/queries.ts: positionAt
select epoch, position, ordinal, created_at from events
        where tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) order by events.epoch, events.position, events.ordinal limit 1;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with f0 as (delete from due_work using (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), g0 as (select 1 from conversations where tenant_id = $4 and id = $5 and version = $6 for share), g1 as (update messages set body = $7, metadata = $8, edited_at = $9, redacted_at = $10, updated_at = $11, version = $12, attachments = $13, body_html = $14, email = $15, delivery = $16, mentions = $17, search = array_to_tsvector($18::text[]) where tenant_id = $19 and id = $20 and version = $21 returning 1), g2 as (delete from scheduled_messages where tenant_id = $22 and id = $23 and version = $24 returning 1), g3 as (update conversations set subject = $25, priority = $26, language = $27, external_id = $28, metadata = $29, follow_up_of_id = $30, status = $31, waiting_since = $32, message_count = $33, last_message_at = $34, last_message_side = $35, first_response_at = $36, resolved_at = $37, closed_at = $38, reopened_count = $39, merged_into_id = $40, read_by_end_user = $41, read_by_operator = $42, unread_by_end_user = $43, unread_by_operator = $44, updated_at = $45, version = $46, department_id = $47, category_id = $48, assignee_id = $49, assignment_strategy = $50, assignment_reason = $51, assigned_at = $52, awaits_routing = $53, waiting_on = $54, hold_reason_id = $55, hold_note = $56, hold_since = $57, hold_until = $58, resumes_on_reply = $59, sla_config_id = $60, sla_config_version = $61, sla_follows = $62, sla = $63, sla_due_at = $64, unanswered_since = $65, hold_pauses_sla = $66, company_id = $67, mailbox_id = $68, search = array_to_tsvector($69::text[]), tag_ids = $70, participant_ids = $71, custom_values = $72 where tenant_id = $73 and id = $74 and version = $75 returning 1), g4 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($76::integer[], $77::text[], $78::integer[], $79::text[],
      $80::text[], $81::text[], $82::text[], $83::text[],
      $84::boolean[], $85::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $86 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (delete from message_revisions where tenant_id = $87 and message_id = any($88::uuid[]) returning 1), w1 as (update idempotency_keys set own_body = rewritten.body
    from unnest($89::text[], $90::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = $91 and idempotency_keys.key = rewritten.key returning 1), w2 as (update webhook_deliveries set erased = true, updated_at = $92, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = $93 and event_id = any($94::uuid[]) returning 1), w3 as (insert into unsent_messages (tenant_id, id, conversation_id)
    select $95::uuid, id, conversation_id from (values ($96::uuid, $97::uuid)) as v (id, conversation_id) returning 1), w4 as (update conversation_holds set note = null where tenant_id = $98
    and conversation_id = any($99::uuid[]) and note is not null returning 1), w5 as (delete from conversation_participants using unnest($100::uuid[],
      $101::uuid[]) as gone (end_user_id, conversation_id)
    where conversation_participants.tenant_id = $102 and conversation_participants.end_user_id = gone.end_user_id
      and conversation_participants.conversation_id = gone.conversation_id returning 1), w6 as (insert into former_participants (tenant_id, end_user_id, conversation_id)
    select $103::uuid, v.end_user_id, v.conversation_id
    from unnest($104::uuid[], $105::uuid[])
      as v (end_user_id, conversation_id)
    on conflict (tenant_id, end_user_id, conversation_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $106::bigint) + $107::bigint
    where tenant_id = $108 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $109::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($110::uuid[], $111::text[], $112::timestamptz[], $113::uuid[], $114::text[], $115::uuid[], $116::integer[], $117::text[], $118::text[], $119::text[], $120::text[], $121::text[], $122::text[], $123::text[], $124::json[], $125::json[], $126::json[], $127::text[], $128::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $129::bigint)::integer / ((select count(*) from g1) = $130::bigint)::integer / ((select count(*) from g2) = $131::bigint)::integer / ((select count(*) from g3) = $132::bigint)::integer / ((select count(*) from g4) = $133::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from head) = $134::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with f0 as (delete from due_work using (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $4::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($5::text, $6::bytea, $7::text, $8::timestamptz, $9::integer, $10::text, $11::text, $12::text, $13::bytea, $14::uuid, $15::uuid, $16::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (delete from scheduled_messages where tenant_id = $17 and id = $18 and version = $19 returning 1), g1 as (select 1 from conversations where tenant_id = $20 and id = $21 and version = $22 for share), g2 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($23::integer[], $24::text[], $25::integer[], $26::text[],
      $27::text[], $28::text[], $29::text[], $30::text[],
      $31::boolean[], $32::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $33 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (update idempotency_keys set own_body = rewritten.body
    from unnest($34::text[], $35::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = $36 and idempotency_keys.key = rewritten.key returning 1), w1 as (update webhook_deliveries set erased = true, updated_at = $37, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = $38 and event_id = any($39::uuid[]) returning 1), w2 as (insert into unsent_messages (tenant_id, id, conversation_id)
    select $40::uuid, id, conversation_id from (values ($41::uuid, $42::uuid)) as v (id, conversation_id) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $43::bigint) + $44::bigint
    where tenant_id = $45 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $46::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($47::uuid[], $48::text[], $49::timestamptz[], $50::uuid[], $51::text[], $52::uuid[], $53::integer[], $54::text[], $55::text[], $56::text[], $57::text[], $58::text[], $59::text[], $60::text[], $61::json[], $62::json[], $63::json[], $64::text[], $65::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $66::bigint)::integer / ((select count(*) from g1) = $67::bigint)::integer / ((select count(*) from g2) = $68::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $69::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with f0 as (select 1 from (select 1 from due_work, unnest($1::text[], $2::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), f1 as (delete from due_work using unnest($4::text[], $5::uuid[]) as v (duty, subject_id) where due_work.tenant_id = $6 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), f2 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $7::uuid, duty, subject_id, due_at, retry_at from unnest($8::text[], $9::uuid[], $10::timestamptz[], $11::timestamptz[]) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), g0 as (delete from conversations where tenant_id = $12 and id = $13 and version = $14 returning 1), g1 as (select 1 from end_users where tenant_id = $15 and id = $16 and version = $17 for share), g2 as (update conversations set subject = v.subject, priority = v.priority, language = v.language, external_id = v.external_id, metadata = v.metadata, follow_up_of_id = v.follow_up_of_id, status = v.status, waiting_since = v.waiting_since, message_count = v.message_count, last_message_at = v.last_message_at, last_message_side = v.last_message_side, first_response_at = v.first_response_at, resolved_at = v.resolved_at, closed_at = v.closed_at, reopened_count = v.reopened_count, merged_into_id = v.merged_into_id, read_by_end_user = v.read_by_end_user, read_by_operator = v.read_by_operator, unread_by_end_user = v.unread_by_end_user, unread_by_operator = v.unread_by_operator, updated_at = v.updated_at, version = v.version, department_id = v.department_id, category_id = v.category_id, assignee_id = v.assignee_id, assignment_strategy = v.assignment_strategy, assignment_reason = v.assignment_reason, assigned_at = v.assigned_at, awaits_routing = v.awaits_routing, waiting_on = v.waiting_on, hold_reason_id = v.hold_reason_id, hold_note = v.hold_note, hold_since = v.hold_since, hold_until = v.hold_until, resumes_on_reply = v.resumes_on_reply, sla_config_id = v.sla_config_id, sla_config_version = v.sla_config_version, sla_follows = v.sla_follows, sla = v.sla, sla_due_at = v.sla_due_at, unanswered_since = v.unanswered_since, hold_pauses_sla = v.hold_pauses_sla, company_id = v.company_id, mailbox_id = v.mailbox_id, search = case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, tag_ids = array(select jsonb_array_elements_text(v.tag_ids::jsonb))::uuid[], participant_ids = array(select jsonb_array_elements_text(v.participant_ids::jsonb))::uuid[], custom_values = v.custom_values from unnest($18::uuid[], $19::text[], $20::text[], $21::text[], $22::text[], $23::json[], $24::uuid[], $25::text[], $26::timestamptz[], $27::integer[], $28::timestamptz[], $29::text[], $30::timestamptz[], $31::timestamptz[], $32::timestamptz[], $33::integer[], $34::uuid[], $35::integer[], $36::integer[], $37::integer[], $38::integer[], $39::timestamptz[], $40::integer[], $41::uuid[], $42::uuid[], $43::uuid[], $44::text[], $45::text[], $46::timestamptz[], $47::boolean[], $48::text[], $49::uuid[], $50::text[], $51::timestamptz[], $52::timestamptz[], $53::boolean[], $54::uuid[], $55::integer[], $56::integer[], $57::json[], $58::timestamptz[], $59::timestamptz[], $60::boolean[], $61::uuid[], $62::uuid[], $63::text[], $64::text[], $65::text[], $66::json[]) as v (id, subject, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, participant_ids, custom_values)
      where conversations.tenant_id = $67 and conversations.id = v.id and conversations.version = v.version - 1 returning 1), g3 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($68::integer[], $69::text[], $70::integer[], $71::text[],
      $72::text[], $73::text[], $74::text[], $75::text[],
      $76::boolean[], $77::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $78 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (insert into conversation_removals (tenant_id, conversation_id, kind, after_sequence, file_ids, stream_ids, part)
    select $79::uuid, $80::uuid, 'delete', 0,
      array(select uses.file_id from message_files uses where uses.tenant_id = $81
        and uses.message_id in (select sent.id from messages sent where sent.tenant_id = $82 and sent.conversation_id = $83
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $84 and scheduled.conversation_id = $85) order by uses.file_id),
      array[$86::uuid], 0
    on conflict (tenant_id, conversation_id) do update set kind = 'delete',
      file_ids = conversation_removals.file_ids || excluded.file_ids,
      stream_ids = excluded.stream_ids || conversation_removals.stream_ids,
      epoch = null, position = null, ordinal = null, part = conversation_removals.part + 1 returning 1), w1 as (delete from message_files where message_files.tenant_id = $87
    and message_files.message_id in (select sent.id from messages sent where sent.tenant_id = $88 and sent.conversation_id = $89
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $90 and scheduled.conversation_id = $91) returning 1), w2 as (delete from message_revisions where message_revisions.tenant_id = $92
    and message_revisions.message_id in (select sent.id from messages sent where sent.tenant_id = $93 and sent.conversation_id = $94
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $95 and scheduled.conversation_id = $96) returning 1), w3 as (delete from message_external_ids where message_external_ids.tenant_id = $97
    and message_external_ids.external_id in (
      select sent.external_id from messages sent where sent.tenant_id = $98
        and sent.conversation_id = $99 and sent.external_id is not null
      union all select scheduled.external_id from scheduled_messages scheduled where scheduled.tenant_id = $100
        and scheduled.conversation_id = $101 and scheduled.external_id is not null) returning 1), w4 as (delete from import_mappings where import_mappings.tenant_id = $102 and import_mappings.type = 'message'
    and import_mappings.external_id in (select sent.external_id from messages sent where sent.tenant_id = $103
      and sent.conversation_id = $104 and sent.external_id is not null)
    and import_mappings.object_id in (select sent.id from messages sent where sent.tenant_id = $105 and sent.conversation_id = $106
    union all select scheduled.id from scheduled_messages scheduled
      where scheduled.tenant_id = $107 and scheduled.conversation_id = $108) returning 1), w5 as (delete from import_mappings where import_mappings.tenant_id = $109 and import_mappings.type = 'conversation'
    and import_mappings.external_id in (select own.external_id from conversations own where own.tenant_id = $110
      and own.id = $111 and own.external_id is not null)
    and import_mappings.object_id = $112 returning 1), w6 as (delete from scheduled_messages where tenant_id = $113 and conversation_id = $114 returning 1), w7 as (delete from messages where tenant_id = $115 and conversation_id = $116 returning 1), w8 as (delete from conversation_holds where tenant_id = $117 and conversation_id = $118 returning 1), w9 as (delete from read_states where tenant_id = $119 and conversation_id = $120 returning 1), w10 as (delete from conversation_moments where tenant_id = $121 and conversation_id = $122 returning 1), w11 as (delete from followers where tenant_id = $123 and conversation_id = $124 returning 1), w12 as (delete from notifications where tenant_id = $125 and conversation_id = $126 returning 1), w13 as (delete from email_contents where email_contents.tenant_id = $127 and email_contents.message_id in (
    select sent.id from messages sent where sent.tenant_id = $128 and sent.conversation_id = $129) returning 1), w14 as (delete from outgoing_emails where outgoing_emails.tenant_id = $130 and outgoing_emails.message_id in (
    select sent.id from messages sent where sent.tenant_id = $131 and sent.conversation_id = $132) returning 1), w15 as (delete from email_references where tenant_id = $133 and conversation_id = $134 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $135::bigint) + $136::bigint
    where tenant_id = $137 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $138::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($139::uuid[], $140::text[], $141::timestamptz[], $142::uuid[], $143::text[], $144::uuid[], $145::integer[], $146::text[], $147::text[], $148::text[], $149::text[], $150::text[], $151::text[], $152::text[], $153::json[], $154::json[], $155::json[], $156::text[], $157::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from f1) >= 0)::integer / ((select count(*) from f2) >= 0)::integer / ((select count(*) from g0) = $158::bigint)::integer / ((select count(*) from g1) = $159::bigint)::integer / ((select count(*) from g2) = $160::bigint)::integer / ((select count(*) from g3) = $161::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from w8) >= 0)::integer / ((select count(*) from w9) >= 0)::integer / ((select count(*) from w10) >= 0)::integer / ((select count(*) from w11) >= 0)::integer / ((select count(*) from w12) >= 0)::integer / ((select count(*) from w13) >= 0)::integer / ((select count(*) from w14) >= 0)::integer / ((select count(*) from w15) >= 0)::integer / ((select count(*) from head) = $162::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with g0 as (delete from due_work using (values ($1::text, $2::uuid, $3::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($5::integer[], $6::text[], $7::integer[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[],
      $13::boolean[], $14::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $15 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), g2 as (delete from conversation_removals using (values ($16::uuid, $17::integer)) as v (conversation_id, part) where conversation_removals.tenant_id = $18
  and conversation_removals.conversation_id = v.conversation_id and conversation_removals.part = v.part returning 1) select 1 / ((select count(*) from g0) = $19::bigint)::integer / ((select count(*) from g1) = $20::bigint)::integer / ((select count(*) from g2) = $21::bigint)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with g0 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($1::integer[], $2::text[], $3::integer[], $4::text[],
      $5::text[], $6::text[], $7::text[], $8::text[],
      $9::boolean[], $10::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $11 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1) select 1 / ((select count(*) from g0) = $12::bigint)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with g0 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($1::integer[], $2::text[], $3::integer[], $4::text[],
      $5::text[], $6::text[], $7::text[], $8::text[],
      $9::boolean[], $10::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $11 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (update idempotency_keys set own_body = erased.body, sealed = null
    from unnest($12::text[], $13::text[]) as erased (key, body)
    where idempotency_keys.tenant_id = $14 and idempotency_keys.key = erased.key returning 1) select 1 / ((select count(*) from g0) = $15::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with g0 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($1::integer[], $2::text[], $3::integer[], $4::text[],
      $5::text[], $6::text[], $7::text[], $8::text[],
      $9::boolean[], $10::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $11 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (update webhook_deliveries set erased = true, updated_at = $12, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = $13 and event_id = any($14::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $15::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update messages set body = $14, metadata = $15, edited_at = $16, redacted_at = $17, updated_at = $18, version = $19, attachments = $20, body_html = $21, email = $22, delivery = $23, mentions = $24, search = array_to_tsvector($25::text[]) where tenant_id = $26 and id = $27 and version = $28 returning 1), g1 as (select 1 from conversations where tenant_id = $29 and id = $30 and version = $31 for share), g2 as (delete from files where tenant_id = $32 and id = $33 and version = $34 returning 1), g3 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($35::integer[], $36::text[], $37::integer[], $38::text[],
      $39::text[], $40::text[], $41::text[], $42::text[],
      $43::boolean[], $44::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $45 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (update idempotency_keys set own_body = rewritten.body
    from unnest($46::text[], $47::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = $48 and idempotency_keys.key = rewritten.key returning 1), w1 as (update webhook_deliveries set erased = true, updated_at = $49, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = $50 and event_id = any($51::uuid[]) returning 1), w2 as (delete from message_revisions where tenant_id = $52 and message_id = any($53::uuid[]) returning 1), w3 as (delete from message_files where tenant_id = $54 and message_id = any($55::uuid[]) returning 1), w4 as (insert into file_tasks (tenant_id, file_id, task, copies, due_at, final_at, failures)
    values ($56, $57, $58, $59, $60, $61, 0)
    on conflict (tenant_id, file_id, task) do update set due_at = excluded.due_at, final_at = excluded.final_at,
      copies = greatest(file_tasks.copies, excluded.copies) returning 1), w5 as (delete from file_tasks
    where tenant_id = $62 and file_id = any($63::uuid[]) and task = 'scan' returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $64::bigint) + $65::bigint
    where tenant_id = $66 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $67::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($68::uuid[], $69::text[], $70::timestamptz[], $71::uuid[], $72::text[], $73::uuid[], $74::integer[], $75::text[], $76::text[], $77::text[], $78::text[], $79::text[], $80::text[], $81::text[], $82::json[], $83::json[], $84::json[], $85::text[], $86::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $87::bigint)::integer / ((select count(*) from g1) = $88::bigint)::integer / ((select count(*) from g2) = $89::bigint)::integer / ((select count(*) from g3) = $90::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from head) = $91::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/events/queries.ts: rewriteEvents
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update messages set body = $14, metadata = $15, edited_at = $16, redacted_at = $17, updated_at = $18, version = $19, attachments = $20, body_html = $21, email = $22, delivery = $23, mentions = $24, search = array_to_tsvector($25::text[]) where tenant_id = $26 and id = $27 and version = $28 returning 1), g1 as (select 1 from conversations where tenant_id = $29 and id = $30 and version = $31 for share), g2 as (update inbound_emails set updated_at = $32, version = $33, mailbox_id = $34, status = $35, reason = $36, conversation_id = $37, message_id = $38, end_user_id = $39, threaded_by = $40, sender = $41, to_addresses = $42, cc_addresses = $43, reply_to = $44, subject = $45, date = $46, mail_from = $47, rcpt_to = $48, authentication = $49, automatic = $50, auto_reply = $51, warnings = $52, dropped_attachments = $53, duplicate_count = $54, raw_file_id = $55, kept = $56, attempts = $57, from_address = $58, leased_until = $59 where tenant_id = $60 and id = $61 and version = $62 returning 1), g3 as (update events set object = rewritten.object::json, previous = rewritten.previous::json,
      related = rewritten.related::json, erased = rewritten.erased::json,
      ip = case when rewritten.keeps_sender then events.ip end,
      user_agent = case when rewritten.keeps_sender then events.user_agent end,
      idempotency_key = case when rewritten.keeps_key then events.idempotency_key end
    from unnest($63::integer[], $64::text[], $65::integer[], $66::text[],
      $67::text[], $68::text[], $69::text[], $70::text[],
      $71::boolean[], $72::boolean[])
      as rewritten (epoch, position, ordinal, was, object, previous, related, erased, keeps_sender, keeps_key)
    where events.tenant_id = $73 and events.epoch = rewritten.epoch and events.position = rewritten.position::xid8
      and events.ordinal = rewritten.ordinal and events.object::text = rewritten.was
    returning 1), w0 as (update idempotency_keys set own_body = rewritten.body
    from unnest($74::text[], $75::text[]) as rewritten (key, body)
    where idempotency_keys.tenant_id = $76 and idempotency_keys.key = rewritten.key returning 1), w1 as (update webhook_deliveries set erased = true, updated_at = $77, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = $78 and event_id = any($79::uuid[]) returning 1), w2 as (delete from message_revisions where tenant_id = $80 and message_id = any($81::uuid[]) returning 1), w3 as (delete from email_contents where tenant_id = $82 and message_id = any($83::uuid[]) returning 1), w4 as (delete from outgoing_emails where tenant_id = $84 and message_id = any($85::uuid[]) returning 1), w5 as (delete from inbound_email_bytes where tenant_id = $86 and inbound_email_id = any($87::uuid[]) returning 1), w6 as (update idempotency_keys set own_body = erased.body, sealed = null
    from unnest($88::text[], $89::text[]) as erased (key, body)
    where idempotency_keys.tenant_id = $90 and idempotency_keys.key = erased.key returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $91::bigint) + $92::bigint
    where tenant_id = $93 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $94::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($95::uuid, $96::text, $97::timestamptz, $98::uuid, $99::text, $100::uuid, $101::integer, $102::text, $103::text, $104::text, $105::text, $106::text, $107::text, $108::text, $109::json, $110::json, $111::json, $112::text, $113::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $114::bigint)::integer / ((select count(*) from g1) = $115::bigint)::integer / ((select count(*) from g2) = $116::bigint)::integer / ((select count(*) from g3) = $117::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from head) = $118::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/integration/request-log/queries.ts: columns
insert into request_log (tenant_id, id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network) select $1::uuid, id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network from (values ($2::uuid, $3::timestamptz, $4::integer, $5::integer, $6::text, $7::text, $8::text, $9::text, $10::uuid, $11::uuid, $12::uuid, $13::uuid, $14::boolean, $15::uuid, $16::text)) as v (id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id, end_user_session_id, operator_id, is_replay, original_request_id, network) on conflict do nothing;

-- packages/server/src/support/integration/request-log/queries.ts: columns
insert into request_log (tenant_id, id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network) select $1::uuid, id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network from (values ($2::uuid, $3::timestamptz, $4::integer, $5::integer, $6::text, $7::text, $8::text, $9::text, $10::uuid, $11::uuid, $12::uuid, $13::uuid, $14::boolean, $15::uuid, $16::text)) as v (id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id, end_user_session_id, operator_id, is_replay, original_request_id, network);

-- packages/server/src/support/integration/request-log/queries.ts: columns
select id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3 order by id desc limit $4;

-- packages/server/src/support/integration/request-log/queries.ts: columns
select id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network from request_log
    where tenant_id = $1 and id = $2 and created_at >= $3;

-- packages/server/src/support/integration/request-log/queries.ts: endOfScan
select id from request_log
    where tenant_id = $1
    order by id desc offset $2 limit 1;

-- packages/server/src/support/integration/request-log/queries.ts: environmentsWithOldRequests
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select created_at from request_log where request_log.tenant_id = h.tenant_id order by id limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < $1::bigint + e.clock_offset_ms - $2::bigint;

-- packages/server/src/support/integration/request-log/queries.ts: newestOf
select count(*) from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3 and (status between $4 and $5 or status between $6 and $7);

-- packages/server/src/support/integration/request-log/queries.ts: newestOf
select count(*) from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3 and console_session_id = $4;

-- packages/server/src/support/integration/request-log/queries.ts: newestOf
select count(*) from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3 and duration_ms > $4;

-- packages/server/src/support/integration/request-log/queries.ts: newestOf
select count(*) from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3 and end_user_session_id = $4 and operator_id = $5;

-- packages/server/src/support/integration/request-log/queries.ts: newestOf
select count(*) from (select * from request_log where tenant_id = $1
    order by id desc limit $2) request_log
    where created_at >= $3;

-- packages/server/src/support/integration/request-log/queries.ts: sweepRequests
delete from request_log where tenant_id = $1 and id in (
      select id from (select id, created_at from request_log where tenant_id = $2 order by id limit $3) oldest
      where created_at < $4)
    returning 1 as removed;

-- packages/server/src/support/integration/request-log/queries.ts: trimRequests
delete from request_log where tenant_id = $1 and id in (
      select id from request_log where tenant_id = $2 and id < $3 order by id limit $4)
    returning 1 as removed;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: deliveryTable
select count(*) from (select 1 from webhook_deliveries where webhook_deliveries.tenant_id = $1 and exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = $2 and endpoint.id = webhook_deliveries.endpoint_id) and endpoint_id = $3 and event_type = $4 limit $5) found;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: deliveryTable
select count(*) from (select 1 from webhook_deliveries where webhook_deliveries.tenant_id = $1 and exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = $2 and endpoint.id = webhook_deliveries.endpoint_id) and endpoint_id = $3 limit $4) found;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: deliveryTable
select webhook_deliveries.id, webhook_deliveries.endpoint_id, webhook_deliveries.event_id, webhook_deliveries.event_type, webhook_deliveries.status, webhook_deliveries.tries, webhook_deliveries.next_attempt_at, webhook_deliveries.attempts, webhook_deliveries.body, webhook_deliveries.created_at, webhook_deliveries.updated_at, webhook_deliveries.version, webhook_deliveries.epoch as epoch, webhook_deliveries.position as position, webhook_deliveries.ordinal as ordinal from webhook_deliveries where webhook_deliveries.tenant_id = $1 and exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = $2 and endpoint.id = webhook_deliveries.endpoint_id) and webhook_deliveries.id = $3;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: environmentsWithExpiredDeliveries
select e.id from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id order by id limit 1) oldest
        where ('x' || translate(left(oldest.id::text, 13), '-', ''))::bit(48)::bigint
          < $1::bigint + e.clock_offset_ms - e.event_retention_days * 86400000::bigint;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: environmentsWithExpiredDeliveries
select h.tenant_id as id from journal_heads h cross join lateral (select endpoint_id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id order by endpoint_id limit 1) first
        where not exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = h.tenant_id and endpoint.id = first.endpoint_id);

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: environmentsWithExpiredDeliveries
select h.tenant_id as id from journal_heads h join webhook_endpoints w on w.tenant_id = h.tenant_id
        cross join lateral (select endpoint_id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id and webhook_deliveries.endpoint_id > w.id
          order by endpoint_id limit 1) next
        where not exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = h.tenant_id and endpoint.id = next.endpoint_id);

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: goneEndpoint
with recursive addressed (id) as (
      (select endpoint_id from webhook_deliveries where tenant_id = $1 order by endpoint_id limit 1)
      union all
      select (select next.endpoint_id from webhook_deliveries next
        where next.tenant_id = $2 and next.endpoint_id > addressed.id order by next.endpoint_id limit 1)
      from addressed where addressed.id is not null)
    select id from addressed where id is not null and not exists (select 1 from webhook_endpoints endpoint
      where endpoint.tenant_id = $3 and endpoint.id = addressed.id) limit 1;

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: idsOfDeliveries
select id from webhook_deliveries
    where tenant_id = $1 and event_id = any($2::uuid[]);

-- packages/server/src/support/integration/webhook-endpoints/deliveries/queries.ts: sweepDeliveries
delete from webhook_deliveries
      where tenant_id = $1 and id in (select id from webhook_deliveries
        where tenant_id = $2 and id < $3 and status <> 'pending' and (position is null or (epoch, position, ordinal) <= ($4::integer, $5::text::xid8, $6::integer)) order by id limit $7)
      returning 1 as swept;

-- packages/server/src/support/integration/webhook-endpoints/queries.ts: activate
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into webhook_endpoints (tenant_id, id, url, description, enabled_events, status, disabled_reason, payload, header_names, headers_sealed, metadata, secret_hint, secret_sealed, former_secret_sealed, former_secret_until, created_at, updated_at, version, filter) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $33::bigint) + $34::bigint
    where tenant_id = $35 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $36::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($37::uuid, $38::text, $39::timestamptz, $40::uuid, $41::text, $42::uuid, $43::integer, $44::text, $45::text, $46::text, $47::text, $48::text, $49::text, $50::text, $51::json, $52::json, $53::json, $54::text, $55::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1), p0 as (insert into webhook_endpoint_states (tenant_id, endpoint_id, active_position)
    select $56::uuid, endpoint_id, (select position from head)::text::xid8 from unnest($57::uuid[]) endpoint_id
    on conflict (tenant_id, endpoint_id) do update set active_epoch = excluded.active_epoch, active_position = excluded.active_position,
      consecutive_failures = 0, failing_since = null returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from head) = $58::bigint)::integer / ((select count(*) from e) >= 0)::integer / ((select count(*) from p0) >= 0)::integer;

-- packages/server/src/support/integration/webhook-endpoints/queries.ts: webhookEndpointTable
select webhook_endpoints.id, webhook_endpoints.url, webhook_endpoints.description, webhook_endpoints.enabled_events, webhook_endpoints.status, webhook_endpoints.disabled_reason, webhook_endpoints.payload, webhook_endpoints.header_names, webhook_endpoints.headers_sealed, webhook_endpoints.metadata, webhook_endpoints.secret_hint, webhook_endpoints.secret_sealed, webhook_endpoints.former_secret_sealed, webhook_endpoints.former_secret_until, webhook_endpoints.created_at, webhook_endpoints.updated_at, webhook_endpoints.version, webhook_endpoints.filter, coalesce((select state.consecutive_failures from webhook_endpoint_states state
      where state.tenant_id = $1 and state.endpoint_id = webhook_endpoints.id), 0) as consecutive_failures from webhook_endpoints where webhook_endpoints.tenant_id = $2 order by id limit 10;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: countMissedEvents
select count(*) from (
    select events.id from events where events.tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) and events.created_at >= $8 and true
    except
    select given.event_id from webhook_deliveries given where given.tenant_id = $9
      and given.endpoint_id = $10 and given.id >= $11 and given.status <> 'failed') missed;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: endOfScan
select epoch, position, ordinal from events
    where events.tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) order by events.epoch, events.position, events.ordinal offset $8 limit 1;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: findRecovery
select endpoint_id, since, epoch, position, ordinal, until_epoch, until_position
    from webhook_recoveries where tenant_id = $1 and id = $2;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: missedEvents
select epoch, position, ordinal, id, type from (
      select epoch, position, ordinal, id, type, created_at from events where events.tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) order by events.epoch, events.position, events.ordinal limit $8) events
    where events.created_at >= $9 and true and not exists (
      select 1 from webhook_deliveries given where given.tenant_id = $10 and given.event_id = events.id
        and given.endpoint_id = $11 and given.status <> 'failed') order by events.epoch, events.position, events.ordinal limit $12;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: moveRecovery
update webhook_recoveries set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and id = $5;

-- packages/server/src/support/integration/webhook-endpoints/recovery/queries.ts: recoverDeliveries
with f0 as (select 1 from (select 1 from due_work, (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), g0 as (delete from due_work using (values ($4::text, $5::uuid, $6::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $7 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), w0 as (insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, epoch, position, ordinal,
      status, next_attempt_at, created_at, updated_at, version)
    select $8::uuid, v.id, v.endpoint_id, v.event_id, v.event_type, v.epoch, v.position::xid8, v.ordinal, 'pending', v.at, v.at, v.at, 1
    from unnest($9::uuid[], $10::uuid[], $11::uuid[], $12::text[], $13::integer[], $14::text[], $15::integer[], $16::timestamptz[]) as v (id, endpoint_id, event_id, event_type, epoch, position, ordinal, at)
    on conflict (tenant_id, event_id, endpoint_id) do update set status = 'pending', tries = 0,
      next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at, version = webhook_deliveries.version + 1
    where webhook_deliveries.status = 'failed' returning 1), w1 as (delete from webhook_recoveries where tenant_id = $17 and id = $18 returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $19::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: deliveryBacklog
select
      greatest(0, max($1::bigint + e.clock_offset_ms - extract(epoch from d.next_attempt_at) * 1000))::float8 as "overdueMs"
    from journal_heads h join environments e on e.id = h.tenant_id join webhook_endpoints w on w.tenant_id = h.tenant_id
    join webhook_endpoint_states s on s.tenant_id = h.tenant_id and s.endpoint_id = w.id
    cross join lateral (select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
      and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.status = 'enabled' and s.failing_since is null;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: deliveryBacklog
select count(*) as pending from (
    select 1 from journal_heads h join webhook_endpoints w on w.tenant_id = h.tenant_id cross join lateral (
      select 1 from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
        and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit $1) d
    where w.status = 'enabled' limit $2) found;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: dueDeliveries
with e as materialized (
      select id, workspace_id, kind, clock_offset_ms from environments where id = $1)
    select w.id, w.url, w.payload, case when d.place > 1 then null else w.headers_sealed end as headers_sealed, w.secret_sealed,
      w.former_secret_sealed, w.former_secret_until, s.failing_since,
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs",
      d.id as delivery_id, d.event_id, d.tries, d.next_attempt_at, d.body, d.epoch, d.position, d.ordinal
    from e cross join webhook_endpoints w
    join webhook_endpoint_states s on s.tenant_id = $2 and s.endpoint_id = w.id
    left join unnest($3::uuid[], $4::integer[])
      asked (id, wanted) on asked.id = w.id
    left join lateral (
      select id, event_id, tries, next_attempt_at, body, epoch, position, ordinal,
        row_number() over (order by next_attempt_at, webhook_deliveries.id) as place
      from webhook_deliveries where webhook_deliveries.tenant_id = $5 and webhook_deliveries.endpoint_id = w.id
        and status = 'pending' and next_attempt_at <= to_timestamp(($6::bigint + e.clock_offset_ms) / 1000.0)
        and webhook_deliveries.id not in (select unnest($7::uuid[]))
      order by next_attempt_at, webhook_deliveries.id limit coalesce(asked.wanted, $8::integer)) d on true
    where w.tenant_id = $9 and w.status = 'enabled' order by s.failing_since nulls first, w.id, d.place;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: environmentsToServe
select e.id as "tenantId", e.clock_offset_ms as "clockOffsetMs", min(d.next_attempt_at) as "nextAt"
    from journal_heads h join environments e on e.id = h.tenant_id join webhook_endpoints w on w.tenant_id = h.tenant_id
    cross join lateral (select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
      and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.status = 'enabled'
      and d.next_attempt_at <= to_timestamp(($1::bigint + e.clock_offset_ms) / 1000.0)
    group by e.id, e.clock_offset_ms;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: eventsToDeliver
select epoch, position, ordinal, id, type,
      audited is not null and audited like 'imported %' as is_imported from events
    where tenant_id = $1 and (events.epoch, events.position, events.ordinal) > ($2::integer, $3::text::xid8, $4::integer) and (events.epoch, events.position, events.ordinal) <= ($5::integer, $6::text::xid8, $7::integer) order by events.epoch, events.position, events.ordinal limit 500;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: eventsToFanOut
select h.tenant_id as id from journal_heads h join environments e on e.id = h.tenant_id
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = $1
    cross join lateral (select s.active_epoch, s.active_position from webhook_endpoints w join webhook_endpoint_states s
        on s.tenant_id = w.tenant_id and s.endpoint_id = w.id
      where w.tenant_id = h.tenant_id and w.status = 'enabled' order by s.active_epoch, s.active_position limit 1) first
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id
      and (events.epoch, events.position, events.ordinal) > (first.active_epoch, first.active_position, $2::integer)
      and (events.epoch, events.position, events.ordinal) > (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0)) order by events.epoch, events.position, events.ordinal
      limit $3) news
    where (h.position = 0 or p.epoch is distinct from $4::integer or p.position < h.position::text::xid8) and exists (select 1 from webhook_endpoints w where w.tenant_id = h.tenant_id and w.status = 'enabled');

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: insertDeliveries
with g0 as (update journal_positions set epoch = $1, position = $2::text::xid8, ordinal = $3
    where tenant_id = $4 and follower = $5 and (epoch, position, ordinal) = ($6::integer, $7::text::xid8, $8::integer) returning 1), w0 as (insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, epoch, position, ordinal,
      status, tries, next_attempt_at, created_at, updated_at, version)
    select $9::uuid, id, endpoint_id, event_id, event_type, epoch, position::xid8, ordinal, 'pending', 0, at, at, at, 1
    from (values ($10::uuid, $11::uuid, $12::uuid, $13::text, $14::integer, $15::text, $16::integer, $17::timestamptz)) as v (id, endpoint_id, event_id, event_type, epoch, position, ordinal, at)
    on conflict (tenant_id, endpoint_id, event_id) do nothing returning 1) select 1 / ((select count(*) from g0) = $18::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: isFannedOut
select 1 from events where tenant_id = $1 and (events.epoch, events.position, events.ordinal) <= ($2::integer, $3::text::xid8, $4::integer)
      and (epoch, position, ordinal) > (select epoch, position, ordinal from (
        select p.epoch, p.position, p.ordinal from journal_positions p where p.tenant_id = $5 and p.follower = $6
        union all (select s.active_epoch, s.active_position, $7::integer from webhook_endpoints w join webhook_endpoint_states s
            on s.tenant_id = $8 and s.endpoint_id = w.id where w.tenant_id = $9 and w.status = 'enabled'
          order by s.active_epoch, s.active_position limit 1)) start order by epoch desc, position desc, ordinal desc limit 1)
    limit 1;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: nextDelivery
select d.next_attempt_at as at
    from webhook_endpoints w cross join lateral (
      select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = $1
        and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.tenant_id = $2 and w.status = 'enabled' order by d.next_attempt_at limit 1;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: recordOutcomes
with d as (
      update webhook_deliveries set updated_at = v.at, version = webhook_deliveries.version + 1,
        status = case when (webhook_deliveries.status = 'pending' and webhook_deliveries.tries = v.was_tries
  and webhook_deliveries.next_attempt_at = v.was_due) then v.status else webhook_deliveries.status end,
        tries = case when (webhook_deliveries.status = 'pending' and webhook_deliveries.tries = v.was_tries
  and webhook_deliveries.next_attempt_at = v.was_due) then v.tries else webhook_deliveries.tries end,
        next_attempt_at = case when (webhook_deliveries.status = 'pending' and webhook_deliveries.tries = v.was_tries
  and webhook_deliveries.next_attempt_at = v.was_due) then v.next_attempt_at else webhook_deliveries.next_attempt_at end,
        attempts = case when attempts @> v.known_by::jsonb then attempts
          else (case when jsonb_array_length(attempts) < $1::integer then attempts else attempts - 0 end)
            || case when erased then v.erased_attempt else v.attempt end::jsonb end
      from (values ($2::uuid, $3::integer, $4::timestamptz, $5::text, $6::integer, $7::timestamptz, $8::timestamptz, $9::text, $10::text, $11::text)) as v (id, was_tries, was_due, status, tries, next_attempt_at, at, attempt, erased_attempt, known_by)
      where webhook_deliveries.tenant_id = $12 and webhook_deliveries.id = v.id
        and webhook_deliveries.id = any($13::uuid[])),
    s as (
      update webhook_endpoint_states set
        consecutive_failures = case when v.succeeded then 0 else consecutive_failures end + v.failures,
        failing_since = case when v.succeeded then v.since else coalesce(failing_since, v.since) end
      from (values ($14::uuid, $15::boolean, $16::integer, $17::timestamptz)) as v (endpoint_id, succeeded, failures, since)
      where webhook_endpoint_states.tenant_id = $18 and webhook_endpoint_states.endpoint_id = v.endpoint_id
        and (v.failures > 0 or consecutive_failures > 0)
      returning webhook_endpoint_states.endpoint_id, consecutive_failures, failing_since)
    select endpoint_id, consecutive_failures, failing_since from s;

-- packages/server/src/support/integration/webhook-endpoints/sending/queries.ts: subscribers
select w.id, w.enabled_events, w.filter, s.active_epoch as epoch, s.active_position as position
      from webhook_endpoints w join webhook_endpoint_states s on s.tenant_id = $1 and s.endpoint_id = w.id
      where w.tenant_id = $2 and w.status = 'enabled';

-- packages/server/src/support/jobs/queries.ts: clockOffset
select clock_offset_ms as ms from environments where id = $1;

-- packages/server/src/support/jobs/queries.ts: countResults
select count(*) from (select 1 from job_results
    where tenant_id = $1 and job_id = $2 limit $3) found;

-- packages/server/src/support/jobs/queries.ts: findUnended
select id from jobs where tenant_id = $1 and type = $2 and ended_at is null
    and not dry_run and params ->> 'end_user_id' = $3 limit 1;

-- packages/server/src/support/jobs/queries.ts: insertResults
with g0 as (update jobs set status = $1, params = $2, state = $3, done = $4, total = $5, failed = $6, result = $7, error = $8, started_at = $9, ended_at = $10, expires_at = $11, updated_at = $12, version = $13, attempts = $14 where tenant_id = $15 and id = $16 and version = $17 returning 1), w0 as (insert into import_mappings (tenant_id, type, external_id, source, object_id)
    select $18::uuid, type, external_id, source, object_id from (values ($19::text, $20::text, $21::text, $22::uuid)) as v (type, external_id, source, object_id) returning 1), w1 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $23::uuid, job_id, place, status, object_id, errors, changes from (values ($24::uuid, $25::integer, $26::text, $27::text, $28::json, $29::json)) as v (job_id, place, status, object_id, errors, changes) returning 1) select 1 / ((select count(*) from g0) = $30::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/jobs/queries.ts: insertResults
with g0 as (update jobs set status = $1, params = $2, state = $3, done = $4, total = $5, failed = $6, result = $7, error = $8, started_at = $9, ended_at = $10, expires_at = $11, updated_at = $12, version = $13, attempts = $14 where tenant_id = $15 and id = $16 and version = $17 returning 1), w0 as (insert into job_results (tenant_id, job_id, place, status, object_id, errors, changes)
    select $18::uuid, job_id, place, status, object_id, errors, changes from (values ($19::uuid, $20::integer, $21::text, $22::text, $23::json, $24::json)) as v (job_id, place, status, object_id, errors, changes) returning 1) select 1 / ((select count(*) from g0) = $25::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/jobs/queries.ts: insertSelected
with g0 as (update jobs set status = $1, params = $2, state = $3, done = $4, total = $5, failed = $6, result = $7, error = $8, started_at = $9, ended_at = $10, expires_at = $11, updated_at = $12, version = $13, attempts = $14 where tenant_id = $15 and id = $16 and version = $17 returning 1), w0 as (insert into job_selections (tenant_id, job_id, first_place, ids)
    values ($18, $19, $20, $21::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $22::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/jobs/queries.ts: listResults
select job_id, place, status, object_id, errors, changes from job_results
    where tenant_id = $1 and job_id = $2 and place > $3
    order by place limit 10;

-- packages/server/src/support/jobs/queries.ts: placeAfter
select place from job_results
    where tenant_id = $1 and job_id = $2 order by place offset $3 limit 1;

-- packages/server/src/support/jobs/queries.ts: selectedIds
select
      ids[$1::integer - first_place + 1 : $2::integer - first_place + $3::integer] as ids
    from job_selections where tenant_id = $4 and job_id = $5 and first_place <= $6
    order by first_place desc limit 1;

-- packages/server/src/support/knowledge/feedback/queries.ts: findPerson
select id, external_id from end_users
    where tenant_id = $1 and (id = $2 or merged_into_id = $3);

-- packages/server/src/support/knowledge/kb/articles/images/queries.ts: filesOfArticle
select file_id from kb_article_files where tenant_id = $1 and article_id = $2;

-- packages/server/src/support/knowledge/kb/articles/images/queries.ts: findPublicImage
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from journal_heads h join environments e on e.id = h.tenant_id join kb_article_files used on used.tenant_id = h.tenant_id
    join kb_articles article on article.tenant_id = h.tenant_id and article.id = used.article_id
    where used.article_id = $1 and used.file_id = $2 and article.status = 'published'
      and article.published_body_html ~ $3;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: conditionsOf
select count(*) from (select 1 from kb_articles where kb_articles.tenant_id = $1 and id in (select article_id from kb_slugs
    where tenant_id = $2 and slug_key = $3 and true) limit $4) found;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: findInFamily
select id from kb_articles
    where tenant_id = $1 and family_id = $2 and locale_key = $3;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: findSlugHolder
select article_id as id from kb_slugs
    where tenant_id = $1 and locale_key = $2 and slug_key = $3 and held;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: findTranslation
select id from kb_articles where tenant_id = $1 and translation_of_id = $2 limit 1;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: findVersion
select version, title, body, excerpt, published_at, published_by from kb_article_versions
    where tenant_id = $1 and article_id = $2 and version = $3;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: holdSlugs
with g0 as (update kb_articles set collection_id = $1, slug = $2, locale = $3, title = $4, body = $5, body_html = $6, excerpt = $7, author_id = $8, metadata = $9, translation_of_id = $10, status = $11, published = $12, published_body = $13, published_body_html = $14, published_version = $15, published_at = $16, has_unpublished_changes = $17, last_version = $18, publish_at = $19, publish_by = $20, former_slugs = $21, updated_at = $22, version = $23, locale_key = $24, tag_ids = $25, family_id = $26, published_collection_id = $27, published_locale_key = $28, published_author_id = $29, published_tag_ids = $30 where tenant_id = $31 and id = $32 and version = $33 returning 1), g1 as (insert into kb_slugs (tenant_id, locale_key, slug_key, article_id, held)
    select $34::uuid, locale_key, slug_key, article_id, true from (values ($35::text, $36::text, $37::uuid)) as v (locale_key, slug_key, article_id)
    on conflict (tenant_id, locale_key, slug_key) do update set article_id = excluded.article_id, held = true
      where not kb_slugs.held returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $38::bigint) + $39::bigint
    where tenant_id = $40 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $41::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($42::uuid, $43::text, $44::timestamptz, $45::uuid, $46::text, $47::uuid, $48::integer, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::text, $56::json, $57::json, $58::json, $59::text, $60::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $61::bigint)::integer / ((select count(*) from g1) = $62::bigint)::integer / ((select count(*) from head) = $63::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: holdSlugs
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (insert into kb_slugs (tenant_id, locale_key, slug_key, article_id, held)
    select $14::uuid, locale_key, slug_key, article_id, true from (values ($15::text, $16::text, $17::uuid)) as v (locale_key, slug_key, article_id)
    on conflict (tenant_id, locale_key, slug_key) do update set article_id = excluded.article_id, held = true
      where not kb_slugs.held returning 1), w0 as (insert into kb_articles (tenant_id, id, collection_id, slug, locale, title, body, body_html, excerpt, author_id, metadata, translation_of_id, status, published, published_body, published_body_html, published_version, published_at, has_unpublished_changes, last_version, publish_at, publish_by, former_slugs, created_at, updated_at, version, locale_key, tag_ids, family_id, published_collection_id, published_locale_key, published_author_id, published_tag_ids) values ($18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50) returning 1), w1 as (insert into knowledge_tags (tenant_id, tag_id, subject_id)
    select $51::uuid, id, $52::uuid from unnest($53::uuid[]) as used (id)
    on conflict (tenant_id, tag_id, subject_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $54::bigint) + $55::bigint
    where tenant_id = $56 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $57::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($58::uuid, $59::text, $60::timestamptz, $61::uuid, $62::text, $63::uuid, $64::integer, $65::text, $66::text, $67::text, $68::text, $69::text, $70::text, $71::text, $72::json, $73::json, $74::json, $75::text, $76::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $77::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $78::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/knowledge/kb/articles/queries.ts: holdSlugs
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update files set content_type = $14, status = $15, rejected_reason = $16, conversation_id = $17, in_knowledge_base = $18, use_count = $19, copy = $20, updated_at = $21, version = $22 where tenant_id = $23 and id = $24 and version = $25 returning 1), g1 as (insert into kb_slugs (tenant_id, locale_key, slug_key, article_id, held)
    select $26::uuid, locale_key, slug_key, article_id, true from (values ($27::text, $28::text, $29::uuid)) as v (locale_key, slug_key, article_id)
    on conflict (tenant_id, locale_key, slug_key) do update set article_id = excluded.article_id, held = true
      where not kb_slugs.held returning 1), w0 as (insert into kb_articles (tenant_id, id, collection_id, slug, locale, title, body, body_html, excerpt, author_id, metadata, translation_of_id, status, published, published_body, published_body_html, published_version, published_at, has_unpublished_changes, last_version, publish_at, publish_by, former_slugs, created_at, updated_at, version, locale_key, tag_ids, family_id, published_collection_id, published_locale_key, published_author_id, published_tag_ids) values ($30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62) returning 1), w1 as (insert into kb_article_files (tenant_id, article_id, file_id)
    select $63::uuid, article_id, file_id from (values ($64::uuid, $65::uuid)) as v (article_id, file_id) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $66::bigint) + $67::bigint
    where tenant_id = $68 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $69::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($70::uuid, $71::text, $72::timestamptz, $73::uuid, $74::text, $75::uuid, $76::integer, $77::text, $78::text, $79::text, $80::text, $81::text, $82::text, $83::text, $84::json, $85::json, $86::json, $87::text, $88::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $89::bigint)::integer / ((select count(*) from g1) = $90::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $91::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: beside
select id from kb_collections where tenant_id = $1 and coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid) = $2 and slug_key = $3;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: collectionTable
select kb_collections.id, kb_collections.parent_id, kb_collections.name, kb_collections.slug, kb_collections.position, kb_collections.description, kb_collections.archived, kb_collections.created_at, kb_collections.updated_at, kb_collections.version, (select count(*) from kb_articles shown
      where shown.tenant_id = $1 and shown.published_collection_id = kb_collections.id) as article_count from kb_collections where kb_collections.tenant_id = $2 and not archived and (position, name_key, id) > ($3, $4, $5) order by position, name_key, id limit 10;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: collectionTable
select kb_collections.id, kb_collections.parent_id, kb_collections.name, kb_collections.slug, kb_collections.position, kb_collections.description, kb_collections.archived, kb_collections.created_at, kb_collections.updated_at, kb_collections.version, (select count(*) from kb_articles shown
      where shown.tenant_id = $1 and shown.published_collection_id = kb_collections.id) as article_count from kb_collections where kb_collections.tenant_id = $2 and not archived and parent_id is null order by position, name_key, id limit 26;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: collectionTable
select kb_collections.id, kb_collections.parent_id, kb_collections.name, kb_collections.slug, kb_collections.position, kb_collections.description, kb_collections.archived, kb_collections.created_at, kb_collections.updated_at, kb_collections.version, (select count(*) from kb_articles shown
      where shown.tenant_id = $1 and shown.published_collection_id = kb_collections.id) as article_count from kb_collections where kb_collections.tenant_id = $2 and not archived order by id limit 10;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: collectionTable
select kb_collections.id, kb_collections.parent_id, kb_collections.name, kb_collections.slug, kb_collections.position, kb_collections.description, kb_collections.archived, kb_collections.created_at, kb_collections.updated_at, kb_collections.version, (select count(*) from kb_articles shown
      where shown.tenant_id = $1 and shown.published_collection_id = kb_collections.id) as article_count from kb_collections where kb_collections.tenant_id = $2 order by id limit 201;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: collectionTable
select kb_collections.id, kb_collections.parent_id, kb_collections.name, kb_collections.slug, kb_collections.position, kb_collections.description, kb_collections.archived, kb_collections.created_at, kb_collections.updated_at, kb_collections.version, (select count(*) from kb_articles shown
      where shown.tenant_id = $1 and shown.published_collection_id = kb_collections.id) as article_count from kb_collections where kb_collections.tenant_id = $2 order by position, name_key, id limit 26;

-- packages/server/src/support/knowledge/kb/collections/queries.ts: findNamesake
select id, name_key from kb_collections where tenant_id = $1
    and coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid) = $2
    and (name_key = $3 or slug_key = $4) and id <> $5
    order by name_key = $6 desc limit 1;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: columns
insert into kb_searches (tenant_id, query, locale, article_searches, article_found, faq_searches, faq_found, last_searched_at, last_found_at)
    select $1::uuid, query, locale, article_searches, article_found, faq_searches, faq_found, last_searched_at, last_found_at from unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::timestamptz[], $9::timestamptz[]) as v (query, locale, article_searches, article_found, faq_searches, faq_found, last_searched_at, last_found_at)
    on conflict (tenant_id, query, locale) do update set article_searches = kb_searches.article_searches + least(excluded.article_searches, 2147483647 - kb_searches.article_searches), article_found = kb_searches.article_found + least(excluded.article_found, 2147483647 - kb_searches.article_found),
      faq_searches = kb_searches.faq_searches + least(excluded.faq_searches, 2147483647 - kb_searches.faq_searches), faq_found = kb_searches.faq_found + least(excluded.faq_found, 2147483647 - kb_searches.faq_found), last_searched_at = greatest(kb_searches.last_searched_at, excluded.last_searched_at), last_found_at = greatest(kb_searches.last_found_at, excluded.last_found_at);

-- packages/server/src/support/knowledge/kb/searches/queries.ts: countSearches
select count(*) from (select 1 from kb_searches where tenant_id = $1 and last_searched_at < $2 limit $3) found;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: countSearches
select count(*) from (select 1 from kb_searches where tenant_id = $1 and last_searched_at > $2 limit $3) found;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: countSearches
select count(*) from (select 1 from kb_searches where tenant_id = $1 limit $2) found;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: environmentsWithExpiredSearches
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select last_searched_at from kb_searches
      where kb_searches.tenant_id = h.tenant_id order by last_searched_at limit 1) oldest
    where extract(epoch from oldest.last_searched_at) * 1000
      < $1::bigint + e.clock_offset_ms - $2::bigint;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: lastFoundNothing
select count(*) from (select 1 from kb_searches where tenant_id = $1 and (last_found_at is null or last_found_at < last_searched_at - interval '1 minute') limit $2) found;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: listSearches
select query, locale, searches, searches - found as found_nothing, last_searched_at
    from (select query, locale, greatest(article_searches, faq_searches) as searches,
        greatest(article_found, faq_found) as found, last_searched_at
      from kb_searches where tenant_id = $1) counted
    where (last_searched_at, query, locale) < ($2, $3, $4) order by last_searched_at desc, query desc, locale desc limit 10;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: listSearches
select query, locale, searches, searches - found as found_nothing, last_searched_at
    from (select query, locale, greatest(article_searches, faq_searches) as searches,
        greatest(article_found, faq_found) as found, last_searched_at
      from kb_searches where tenant_id = $1) counted
    where (searches, query, locale) < ($2, $3, $4) order by searches desc, query desc, locale desc limit 10;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: listSearches
select query, locale, searches, searches - found as found_nothing, last_searched_at
    from (select query, locale, greatest(article_searches, faq_searches) as searches,
        greatest(article_found, faq_found) as found, last_searched_at
      from kb_searches where tenant_id = $1) counted
    where true order by last_searched_at desc, query desc, locale desc limit 10;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: listSearches
select query, locale, searches, searches - found as found_nothing, last_searched_at
    from (select query, locale, greatest(article_searches, faq_searches) as searches,
        greatest(article_found, faq_found) as found, last_searched_at
      from kb_searches where tenant_id = $1) counted
    where true order by searches desc, query desc, locale desc limit 10;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: sweepSearches
delete from kb_searches where tenant_id = $1
    and (query, locale) in (select query, locale from kb_searches
      where tenant_id = $2 and last_searched_at < $3 order by last_searched_at limit $4)
    returning 1 as swept;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: trimSearches
delete from kb_searches
      where tenant_id = $1 and last_searched_at <= $2;

-- packages/server/src/support/knowledge/kb/searches/queries.ts: trimSearches
select last_searched_at from kb_searches
    where tenant_id = $1 order by last_searched_at desc offset $2 limit 1;

-- packages/server/src/support/mail/deliveries/queries.ts: environmentsWithOldAutomatic
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select created_at from automatic_emails
      where automatic_emails.tenant_id = h.tenant_id order by created_at limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < $1::bigint + e.clock_offset_ms - $2::bigint;

-- packages/server/src/support/mail/deliveries/queries.ts: isReferenceOf
select 1 as found from email_references
    where tenant_id = $1 and reference = $2 and message_id = $3;

-- packages/server/src/support/mail/deliveries/queries.ts: isSentHere
select 1 as found from outgoing_emails sent
    join mailboxes m on m.tenant_id = $1 and m.id = sent.mailbox_id and m.outbound = 'smtp'
    where sent.tenant_id = $2 and sent.message_id = $3;

-- packages/server/src/support/mail/deliveries/queries.ts: sweepAutomatic
delete from automatic_emails where tenant_id = $1
    and (address, message_id) in (select address, message_id from automatic_emails
      where tenant_id = $2 and created_at < $3 order by created_at limit $4)
    returning 1 as swept;

-- packages/server/src/support/mail/inbound-emails/queries.ts: deleteBytes
with g0 as (update inbound_emails set updated_at = $1, version = $2, mailbox_id = $3, status = $4, reason = $5, conversation_id = $6, message_id = $7, end_user_id = $8, threaded_by = $9, sender = $10, to_addresses = $11, cc_addresses = $12, reply_to = $13, subject = $14, date = $15, mail_from = $16, rcpt_to = $17, authentication = $18, automatic = $19, auto_reply = $20, warnings = $21, dropped_attachments = $22, duplicate_count = $23, raw_file_id = $24, kept = $25, attempts = $26, from_address = $27, leased_until = $28 where tenant_id = $29 and id = $30 and version = $31 returning 1), w0 as (delete from inbound_email_bytes where tenant_id = $32 and inbound_email_id = any($33::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $34::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/mail/inbound-emails/queries.ts: deleteSendersOf
with g0 as (select 1 from end_users where tenant_id = $1 and id = $2 and version = $3 for share), w0 as (delete from email_senders where tenant_id = $4 and end_user_id = any($5::uuid[]) returning 1), w1 as (delete from automatic_emails where tenant_id = $6 and address = any($7::text[]) returning 1) select 1 / ((select count(*) from g0) = $8::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/mail/inbound-emails/queries.ts: environmentsWithExpired
select e.id from journal_heads h join environments e on e.id = h.tenant_id
    cross join lateral (select created_at from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.kept = 'all'
        and inbound_emails.status in ('ignored', 'failed', 'bounce') order by created_at limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < $1::bigint + e.clock_offset_ms - $2::bigint;

-- packages/server/src/support/mail/inbound-emails/queries.ts: environmentsWithWaiting
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select 1 from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.status = 'received'
        and inbound_emails.leased_until <= $1 limit 1) waiting;

-- packages/server/src/support/mail/inbound-emails/queries.ts: findByContent
select id, content_hash
    from inbound_emails where tenant_id = $1 and content_hash = any($2::text[]);

-- packages/server/src/support/mail/inbound-emails/queries.ts: findBytes
select inbound_email_id, bytes from inbound_email_bytes
    where tenant_id = $1 and inbound_email_id = any($2::uuid[]);

-- packages/server/src/support/mail/inbound-emails/queries.ts: inboundOverdueMs
select
      greatest(0, max($1::bigint + e.clock_offset_ms - extract(epoch from oldest.created_at) * 1000))::float8 as ms
    from journal_heads h join environments e on e.id = h.tenant_id cross join lateral (select created_at from inbound_emails
      where inbound_emails.tenant_id = h.tenant_id and inbound_emails.status = 'received'
      order by inbound_emails.id limit 1) oldest;

-- packages/server/src/support/mail/inbound-emails/queries.ts: insertBytes
with w0 as (insert into inbound_emails (tenant_id, id, created_at, updated_at, version, mailbox_id, source, status, reason, conversation_id, message_id, end_user_id, header_message_id, threaded_by, sender, to_addresses, cc_addresses, reply_to, subject, date, mail_from, rcpt_to, authentication, automatic, auto_reply, warnings, dropped_attachments, size_bytes, duplicate_count, content_hash, raw_file_id, kept, attempts, from_address, leased_until) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35) returning 1), w1 as (insert into inbound_email_bytes (tenant_id, inbound_email_id, bytes)
    select $36::uuid, inbound_email_id, bytes from (values ($37::uuid, $38::bytea)) as v (inbound_email_id, bytes) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/mail/inbound-emails/queries.ts: isReused
select asked.id
      from unnest($1::uuid[], $2::text[]) as asked (id, name)
      where exists (select 1 from inbound_emails earlier where earlier.tenant_id = $3
        and earlier.header_message_id = asked.name and earlier.id < asked.id);

-- packages/server/src/support/mail/inbound-emails/queries.ts: mailsSentBy
select inbound_emails.id, inbound_emails.created_at, inbound_emails.updated_at, inbound_emails.version, inbound_emails.mailbox_id, inbound_emails.source, inbound_emails.status, inbound_emails.reason, inbound_emails.conversation_id, inbound_emails.message_id, inbound_emails.end_user_id, inbound_emails.header_message_id, inbound_emails.threaded_by, inbound_emails.sender, inbound_emails.to_addresses, inbound_emails.cc_addresses, inbound_emails.reply_to, inbound_emails.subject, inbound_emails.date, inbound_emails.mail_from, inbound_emails.rcpt_to, inbound_emails.authentication, inbound_emails.automatic, inbound_emails.auto_reply, inbound_emails.warnings, inbound_emails.dropped_attachments, inbound_emails.size_bytes, inbound_emails.duplicate_count, inbound_emails.content_hash, inbound_emails.raw_file_id, inbound_emails.kept, inbound_emails.attempts from inbound_emails where inbound_emails.tenant_id = $1 and end_user_id = any($2::uuid[]) and kept <> 'none' and status in ('created', 'threaded') and not exists (select 1 from operators p where p.tenant_id = $3 and p.email_key = from_address) order by id limit 50;

-- packages/server/src/support/mail/inbound-emails/queries.ts: nextExpired
select id from inbound_emails where tenant_id = $1 and kept = 'all'
    and status in ('ignored', 'failed', 'bounce') and created_at < $2 order by created_at limit $3;

-- packages/server/src/support/mail/inbound-emails/queries.ts: postponeWaiting
update inbound_emails set leased_until = $1, attempts = $2
    where tenant_id = $3 and id = $4 and status = 'received' and leased_until = $5;

-- packages/server/src/support/mail/inbound-emails/queries.ts: takeWaiting
update inbound_emails set leased_until = $1, attempts = attempts + 1 from (
      select id from inbound_emails where tenant_id = $2 and status = 'received' and leased_until <= $3
      order by leased_until, id limit $4 for update skip locked) mine
    where inbound_emails.tenant_id = $5 and inbound_emails.id = mine.id
    returning inbound_emails.id, inbound_emails.attempts;

-- packages/server/src/support/mail/listener/queries.ts: environmentsOf
select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from journal_heads h join environments e on e.id = h.tenant_id where h.tenant_id = any($1::uuid[]);

-- packages/server/src/support/mail/listener/queries.ts: mailboxesAtAddress
select m.tenant_id as "tenantId", m.id as "mailboxId"
    from journal_heads h join mailbox_addresses a on a.tenant_id = h.tenant_id
      join mailboxes m on m.tenant_id = a.tenant_id and m.id = a.mailbox_id
    where a.address = $1 and not m.archived and (m.plus_addressing or not $2) limit 2;

-- packages/server/src/support/mail/listener/queries.ts: mailboxesWithId
select m.tenant_id as "tenantId", m.id as "mailboxId"
    from journal_heads h join mailboxes m on m.tenant_id = h.tenant_id
    where m.id = $1 and not m.archived limit 2;

-- packages/server/src/support/mail/processing/queries.ts: countMessagesFrom
select
        (select count(*) from (select 1 from inbound_emails made where made.tenant_id = $1
          and made.from_address = asked.address and made.id >= asked.since_id
          and made.status in ('created', 'threaded') limit $2) counted) as count
      from unnest($3::text[], $4::uuid[]) with ordinality as asked (address, since_id, place)
      order by asked.place;

-- packages/server/src/support/mail/processing/queries.ts: findReferences
select reference, message_id, conversation_id, is_sent
      from email_references
      where tenant_id = $1 and reference = any($2::text[])
      order by is_sent desc, created_at, message_id;

-- packages/server/src/support/mail/processing/queries.ts: isAwaited
select 1 as found from inbound_emails
    where tenant_id = $1 and header_message_id = any($2::text[]) and status = 'received'
      and id < $3 limit 1;

-- packages/server/src/support/mail/processing/queries.ts: openFollowUp
with recursive following (id, status) as (
        select id, status from conversations where tenant_id = $1 and follow_up_of_id = $2
        union
        select next.id, next.status from conversations next join following on next.follow_up_of_id = following.id
          where next.tenant_id = $3)
      select id from following where status <> 'closed' order by id desc limit 1;

-- packages/server/src/support/mail/sending/queries.ts: countHandedOver
select count(*) from (select 1 from outgoing_emails
    where tenant_id = $1 and mailbox_id = $2 and sent_at > $3 limit $4) counted;

-- packages/server/src/support/mail/sending/queries.ts: endAttempt
update outgoing_emails set is_open = false, unanswered = $1, due_at = $2, taken_by = null, taken_until = null
    where tenant_id = $3 and message_id = $4;

-- packages/server/src/support/mail/sending/queries.ts: endNeedless
update outgoing_emails set is_open = false, due_at = null, taken_by = null, taken_until = null
    where tenant_id = $1 and message_id = $2 and taken_by = $3 and due_at is not distinct from $4;

-- packages/server/src/support/mail/sending/queries.ts: environmentsWithOutgoing
select distinct e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from journal_heads h join environments e on e.id = h.tenant_id join mailboxes m on m.tenant_id = h.tenant_id
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = m.tenant_id
      and outgoing_emails.mailbox_id = m.id and due_at is not null and (taken_until is null or taken_until <= $1)
      order by due_at limit 1) next
    where m.outbound = 'smtp' and m.status = 'enabled' and not m.archived and m.verified_at is not null and next.due_at <= to_timestamp(($2::bigint + e.clock_offset_ms) / 1000.0);

-- packages/server/src/support/mail/sending/queries.ts: extendTaking
update outgoing_emails set taken_until = $1 where tenant_id = $2 and message_id = $3 and taken_by = $4;

-- packages/server/src/support/mail/sending/queries.ts: mailboxesWithOutgoing
select m.id from mailboxes m
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = $1
      and outgoing_emails.mailbox_id = m.id and due_at is not null and (taken_until is null or taken_until <= $2)
      order by due_at limit 1) next
    where m.tenant_id = $3 and m.outbound = 'smtp' and m.status = 'enabled' and not m.archived and m.verified_at is not null and next.due_at <= $4;

-- packages/server/src/support/mail/sending/queries.ts: nextOutgoing
select greatest(next.due_at, full_minute.ends_at) as at from mailboxes m
      cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = $1
        and outgoing_emails.mailbox_id = m.id and due_at is not null order by due_at limit 1) next
      left join lateral (select sent_at + interval '1 minute' as ends_at from outgoing_emails
        where outgoing_emails.tenant_id = $2 and outgoing_emails.mailbox_id = m.id and sent_at is not null
        order by sent_at desc offset m.rate_per_minute - 1 limit 1) full_minute on true
      where m.tenant_id = $3 and m.outbound = 'smtp' and m.status = 'enabled' and not m.archived and m.verified_at is not null
      order by 1 limit 1;

-- packages/server/src/support/mail/sending/queries.ts: ofTaking
select 1 from outgoing_emails where tenant_id = $1 and message_id = $2 and taken_by = $3;

-- packages/server/src/support/mail/sending/queries.ts: openHandover
update outgoing_emails set is_open = true, sent_at = $1
      where tenant_id = $2 and message_id = $3 and taken_by = $4 and due_at is not null returning 1;

-- packages/server/src/support/mail/sending/queries.ts: outgoingOverdueMs
select
      greatest(0, max($1::bigint + e.clock_offset_ms - extract(epoch from oldest.due_at) * 1000))::float8 as ms
    from journal_heads h join environments e on e.id = h.tenant_id join mailboxes m on m.tenant_id = h.tenant_id
    cross join lateral (select due_at from outgoing_emails where outgoing_emails.tenant_id = m.tenant_id
      and outgoing_emails.mailbox_id = m.id and due_at is not null order by due_at limit 1) oldest
    where m.outbound = 'smtp' and m.status = 'enabled' and not m.archived and m.verified_at is not null;

-- packages/server/src/support/mail/sending/queries.ts: postponeOutgoing
update outgoing_emails set due_at = $1, taken_by = null, taken_until = null
    where tenant_id = $2 and message_id = $3 and taken_by = $4;

-- packages/server/src/support/mail/sending/queries.ts: releaseOutgoing
update outgoing_emails set is_open = false, taken_by = null, taken_until = $1
    where tenant_id = $2 and message_id = $3 and taken_by = $4;

-- packages/server/src/support/mail/sending/queries.ts: takeOutgoing
update outgoing_emails set taken_by = $1, taken_until = $2 from (
      select message_id from outgoing_emails where tenant_id = $3 and mailbox_id = $4
        and due_at <= $5 and (taken_until is null or taken_until <= $6)
      order by due_at, message_id limit $7 for update skip locked) mine
    where outgoing_emails.tenant_id = $8 and outgoing_emails.message_id = mine.message_id
    returning outgoing_emails.message_id, mailbox_id, mail_from, files, unanswered, attempts_before, is_open, due_at;

-- packages/server/src/support/me/conversations/queries.ts: idsOf
select count(*) from (select own.id from unnest($1::uuid[]) as person (id) cross join lateral (
      select one.id from conversations one where one.tenant_id = $2 and one.end_user_id = person.id
        ) own
    union select shared.id from unnest($3::uuid[]) as person (id) cross join lateral (
      select part.conversation_id as id from conversation_participants part where part.tenant_id = $4
        and part.end_user_id = person.id and part.confirmed ) shared limit $5) found;

-- packages/server/src/support/me/conversations/queries.ts: idsOf
select id from (select own.id from unnest($1::uuid[]) as person (id) cross join lateral (
      select one.id from conversations one where one.tenant_id = $2 and one.end_user_id = person.id
         order by one.id  limit 10) own
    union select shared.id from unnest($3::uuid[]) as person (id) cross join lateral (
      select part.conversation_id as id from conversation_participants part where part.tenant_id = $4
        and part.end_user_id = person.id and part.confirmed  order by part.conversation_id  limit 10) shared) mine
    order by id  limit 10;

-- packages/server/src/support/me/people/queries.ts: read
select stored.id, coalesce(target.id, stored.id) as person_id,
      case when target.id is null then stored.name else target.name end as name
    from end_users stored left join end_users target on target.tenant_id = $1 and target.id = stored.merged_into_id
    where stored.tenant_id = $2 and stored.id = any($3::uuid[]);

-- packages/server/src/support/me/profile/queries.ts: countUnreadOf
select coalesce(sum(unread_by_end_user), 0)::integer as count
    from conversations where tenant_id = $1 and end_user_id = any($2::uuid[])
      and unread_by_end_user > 0;

-- packages/server/src/support/me/shapes/queries.ts: lastPublicMessages
select messages.id, messages.conversation_id, messages.sequence, messages.author_side, messages.operator_id, messages.body, messages.body_format, messages.visibility, messages.in_reply_to_id, messages.external_id, messages.metadata, messages.edited_at, messages.redacted_at, messages.created_at, messages.updated_at, messages.version, messages.template_id, messages.author_end_user_id, messages.attachments, messages.body_html, messages.email, messages.delivery, messages.mentions, (case when messages.attachments is not null then (
    select json_object_agg(f.id, f.status) from message_files u join files f on f.tenant_id = $1 and f.id = u.file_id
    where u.tenant_id = $2 and u.message_id = messages.id) end) as file_states from unnest($3::uuid[]) as page (id)
    cross join lateral (select * from messages one where one.tenant_id = $4 and one.conversation_id = page.id
      and one.visibility = 'public' order by one.sequence desc limit 1) messages;

-- packages/server/src/support/me/stream/queries.ts: audiencesOf
select c.id, array_append(array(select part.id from unnest(c.participant_ids) as part (id)
      where not exists (select 1 from conversation_participants claimed where claimed.tenant_id = $1
        and claimed.end_user_id = part.id and claimed.conversation_id = c.id and not claimed.confirmed)), coalesce(c.end_user_id, (select e.id from end_users e
      where e.tenant_id = $2 and e.external_id = c.external_user_id))) as ids
    from conversations c where c.tenant_id = $3 and c.id = any($4::uuid[]);

-- packages/server/src/support/me/stream/queries.ts: historyOf
select epoch, position, ordinal, type, stream_id, resource_id, previous::text,
      case when resource_type = 'conversation' then object::text end as object
    from (select $1::uuid as id) own cross join lateral (
      select * from events where events.tenant_id = $2 and events.stream_id = own.id
        and events.type = any($3::text[]) and (events.epoch, events.position, events.ordinal) > ($4::integer, $5::text::xid8, $6::integer) and (events.epoch, events.position, events.ordinal) <= ($7::integer, $8::text::xid8, $9::integer) order by events.epoch, events.position, events.ordinal
      limit $10) events order by events.epoch, events.position, events.ordinal limit $11;

-- packages/server/src/support/me/stream/queries.ts: historyOf
select epoch, position, ordinal, type, stream_id, resource_id, previous::text,
      case when resource_type = 'conversation' then object::text end as object
    from (select c.id from conversations c where c.tenant_id = $1 and c.end_user_id = any($2::uuid[])
        union select part.conversation_id from conversation_participants part
          where part.tenant_id = $3 and part.end_user_id = any($4::uuid[]) and part.confirmed) own cross join lateral (
      select * from events where events.tenant_id = $5 and events.stream_id = own.id
        and events.type = any($6::text[]) and (events.epoch, events.position, events.ordinal) > ($7::integer, $8::text::xid8, $9::integer) and (events.epoch, events.position, events.ordinal) <= ($10::integer, $11::text::xid8, $12::integer) order by events.epoch, events.position, events.ordinal
      limit $13) events order by events.epoch, events.position, events.ordinal limit $14;

-- packages/server/src/support/people/companies/queries.ts: companyConditions
select count(*) from (select 1 from companies where companies.tenant_id = $1 and not archived and companies.id = (select d.company_id from company_domains d
      where d.tenant_id = $2 and d.domain = $3) limit $4) found;

-- packages/server/src/support/people/companies/queries.ts: findCompanyByExternalId
select id from companies where tenant_id = $1 and external_id = $2;

-- packages/server/src/support/people/companies/queries.ts: findOwnerOfDomains
select company_id as id from company_domains
    where tenant_id = $1 and domain = any($2::text[]) and company_id <> $3 limit 1;

-- packages/server/src/support/people/end-users/finding/addresses.ts: withAddresses
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) and id in (select known.end_user_id as id from end_user_addresses known where known.tenant_id = $2
      and known.kind = $3 and known.address = any($4::text[])) limit $5) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: conditionsOfStatus
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and merged_into_id is not null and erased_at is null limit $2) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: endUserFieldTable
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) and id in (select unnest(array[named.id, named.merged_into_id]) as id from end_users named
          where named.tenant_id = $2 and named.external_id = any($3::text[])) limit $4) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: isPresent
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) limit $2) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: isPresent
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and merged_into_id is null and erased_at is null and blocked_at is not null limit $2) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: isPresent
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and merged_into_id is null and erased_at is null and blocked_at is null limit $2) found;

-- packages/server/src/support/people/end-users/finding/fields.ts: members
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) and id in (select member.end_user_id as id from company_members member where member.tenant_id = $2 and member.company_id = any($3::uuid[])) limit $4) found;

-- packages/server/src/support/people/end-users/finding/request.ts: isFoundBy
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) and (search @@ $2::tsquery or (external_id >= $3 and external_id < $4
    and merged_into_id is null)) limit $5) found;

-- packages/server/src/support/people/end-users/finding/request.ts: namedLeaf
select count(*) from (select 1 from end_users where end_users.tenant_id = $1 and (merged_into_id is null and erased_at is null) and id = (select coalesce(named.merged_into_id, named.id) from end_users named
      where named.tenant_id = $2 and named.external_id = $3) limit $4) found;

-- packages/server/src/support/people/end-users/queries.ts: countConversationsOf
select count(*) from conversations
    where tenant_id = $1 and end_user_id = any($2::uuid[]);

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with g0 as (delete from end_users where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (delete from conversation_participants where tenant_id = $4 and end_user_id = $5 returning 1), w1 as (delete from end_user_addresses using unnest($6::text[],
      $7::text[], $8::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $9 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), w2 as (delete from email_senders where tenant_id = $10 and end_user_id = any($11::uuid[]) returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($12, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $13::bigint) + $14::bigint
    where tenant_id = $15 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $16::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($17::uuid, $18::text, $19::timestamptz, $20::uuid, $21::text, $22::uuid, $23::integer, $24::text, $25::text, $26::text, $27::text, $28::text, $29::text, $30::text, $31::json, $32::json, $33::json, $34::text, $35::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $36::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from c0) = $37::bigint)::integer / ((select count(*) from head) = $38::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with g0 as (update inbound_emails set updated_at = $1, version = $2, mailbox_id = $3, status = $4, reason = $5, conversation_id = $6, message_id = $7, end_user_id = $8, threaded_by = $9, sender = $10, to_addresses = $11, cc_addresses = $12, reply_to = $13, subject = $14, date = $15, mail_from = $16, rcpt_to = $17, authentication = $18, automatic = $19, auto_reply = $20, warnings = $21, dropped_attachments = $22, duplicate_count = $23, raw_file_id = $24, kept = $25, attempts = $26, from_address = $27, leased_until = $28 where tenant_id = $29 and id = $30 and version = $31 returning 1), g1 as (select 1 from (values ($32::bigint)) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $33), 0)), w0 as (insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, array_to_tsvector($46::text[]), $47) returning 1), w1 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) values ($48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, array_to_tsvector($97::text[]), $98, $99, $100, $101) returning 1), w2 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, email, delivery, mentions, search) values ($102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, array_to_tsvector($126::text[])) returning 1), w3 as (insert into email_senders (tenant_id, address, end_user_id)
    select $127::uuid, address, end_user_id from (values ($128::text, $129::uuid)) as v (address, end_user_id) returning 1), w4 as (insert into email_contents (tenant_id, message_id, headers, text, html)
    select $130::uuid, message_id, headers, text, html from (values ($131::uuid, $132::json, $133::text, $134::text)) as v (message_id, headers, text, html) returning 1), w5 as (insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select $135::uuid, reference, message_id, conversation_id, is_sent, created_at from (values ($136::text, $137::uuid, $138::uuid, $139::boolean, $140::timestamptz)) as v (reference, message_id, conversation_id, is_sent, created_at) returning 1), w6 as (delete from end_user_addresses using unnest($141::text[],
      $142::text[], $143::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $144 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), w7 as (insert into end_user_addresses (tenant_id, kind, address, end_user_id, is_verified)
    select $145::uuid, v.kind, v.address, v.end_user_id, v.is_verified
    from unnest($146::text[], $147::text[],
      $148::uuid[], $149::boolean[])
      as v (kind, address, end_user_id, is_verified) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $150::bigint) + $151::bigint
    where tenant_id = $152 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $153::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($154::uuid[], $155::text[], $156::timestamptz[], $157::uuid[], $158::text[], $159::uuid[], $160::integer[], $161::text[], $162::text[], $163::text[], $164::text[], $165::text[], $166::text[], $167::text[], $168::json[], $169::json[], $170::json[], $171::text[], $172::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $173::bigint)::integer / ((select count(*) from g1) = $174::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from head) = $175::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with g0 as (update inbound_emails set updated_at = $1, version = $2, mailbox_id = $3, status = $4, reason = $5, conversation_id = $6, message_id = $7, end_user_id = $8, threaded_by = $9, sender = $10, to_addresses = $11, cc_addresses = $12, reply_to = $13, subject = $14, date = $15, mail_from = $16, rcpt_to = $17, authentication = $18, automatic = $19, auto_reply = $20, warnings = $21, dropped_attachments = $22, duplicate_count = $23, raw_file_id = $24, kept = $25, attempts = $26, from_address = $27, leased_until = $28 where tenant_id = $29 and id = $30 and version = $31 returning 1), g1 as (select 1 from (values ($32::bigint)) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $33), 0)), w0 as (insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, array_to_tsvector($46::text[]), $47) returning 1), w1 as (insert into files (tenant_id, id, filename, content_type, size_bytes, sha256, status, rejected_reason, end_user_id, conversation_id, in_knowledge_base, use_count, copy, created_at, updated_at, version, required_scopes) values ($48, $49, $50, $51, $52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64) returning 1), w2 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) values ($65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, array_to_tsvector($114::text[]), $115, $116, $117, $118) returning 1), w3 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, email, delivery, mentions, search) values ($119, $120, $121, $122, $123, $124, $125, $126, $127, $128, $129, $130, $131, $132, $133, $134, $135, $136, $137, $138, $139, $140, $141, $142, array_to_tsvector($143::text[])) returning 1), w4 as (insert into email_senders (tenant_id, address, end_user_id)
    select $144::uuid, address, end_user_id from (values ($145::text, $146::uuid)) as v (address, end_user_id) returning 1), w5 as (insert into message_files (tenant_id, message_id, file_id) values ($147, $148, $149) returning 1), w6 as (insert into email_contents (tenant_id, message_id, headers, text, html)
    select $150::uuid, message_id, headers, text, html from (values ($151::uuid, $152::json, $153::text, $154::text)) as v (message_id, headers, text, html) returning 1), w7 as (insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select $155::uuid, reference, message_id, conversation_id, is_sent, created_at from (values ($156::text, $157::uuid, $158::uuid, $159::boolean, $160::timestamptz)) as v (reference, message_id, conversation_id, is_sent, created_at) returning 1), w8 as (delete from end_user_addresses using unnest($161::text[],
      $162::text[], $163::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $164 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), w9 as (insert into end_user_addresses (tenant_id, kind, address, end_user_id, is_verified)
    select $165::uuid, v.kind, v.address, v.end_user_id, v.is_verified
    from unnest($166::text[], $167::text[],
      $168::uuid[], $169::boolean[])
      as v (kind, address, end_user_id, is_verified) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $170::bigint) + $171::bigint
    where tenant_id = $172 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $173::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($174::uuid[], $175::text[], $176::timestamptz[], $177::uuid[], $178::text[], $179::uuid[], $180::integer[], $181::text[], $182::text[], $183::text[], $184::text[], $185::text[], $186::text[], $187::text[], $188::json[], $189::json[], $190::json[], $191::text[], $192::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $193::bigint)::integer / ((select count(*) from g1) = $194::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from w7) >= 0)::integer / ((select count(*) from w8) >= 0)::integer / ((select count(*) from w9) >= 0)::integer / ((select count(*) from head) = $195::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with g0 as (update inbound_emails set updated_at = $1, version = $2, mailbox_id = $3, status = $4, reason = $5, conversation_id = $6, message_id = $7, end_user_id = $8, threaded_by = $9, sender = $10, to_addresses = $11, cc_addresses = $12, reply_to = $13, subject = $14, date = $15, mail_from = $16, rcpt_to = $17, authentication = $18, automatic = $19, auto_reply = $20, warnings = $21, dropped_attachments = $22, duplicate_count = $23, raw_file_id = $24, kept = $25, attempts = $26, from_address = $27, leased_until = $28 where tenant_id = $29 and id = $30 and version = $31 returning 1), g1 as (update email_senders set end_user_id = v.end_user_id from (values ($32::text, $33::uuid, $34::uuid)) as v (address, end_user_id, former_id)
    where email_senders.tenant_id = $35 and email_senders.address = v.address
      and email_senders.end_user_id = v.former_id returning 1), g2 as (select 1 from (values ($36::bigint)) as v (generation) where v.generation = coalesce((select generation from sla_generations where tenant_id = $37), 0)), w0 as (insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, array_to_tsvector($50::text[]), $51) returning 1), w1 as (insert into conversations (tenant_id, id, subject, initiated_by_side, channel, priority, language, external_id, metadata, follow_up_of_id, status, waiting_since, message_count, last_message_at, last_message_side, first_response_at, resolved_at, closed_at, reopened_count, merged_into_id, read_by_end_user, read_by_operator, unread_by_end_user, unread_by_operator, created_at, updated_at, version, department_id, category_id, assignee_id, assignment_strategy, assignment_reason, assigned_at, awaits_routing, waiting_on, hold_reason_id, hold_note, hold_since, hold_until, resumes_on_reply, sla_config_id, sla_config_version, sla_follows, sla, sla_due_at, unanswered_since, hold_pauses_sla, company_id, mailbox_id, search, tag_ids, end_user_id, participant_ids, custom_values) values ($52, $53, $54, $55, $56, $57, $58, $59, $60, $61, $62, $63, $64, $65, $66, $67, $68, $69, $70, $71, $72, $73, $74, $75, $76, $77, $78, $79, $80, $81, $82, $83, $84, $85, $86, $87, $88, $89, $90, $91, $92, $93, $94, $95, $96, $97, $98, $99, $100, array_to_tsvector($101::text[]), $102, $103, $104, $105) returning 1), w2 as (insert into messages (tenant_id, id, conversation_id, sequence, author_side, operator_id, body, body_format, visibility, in_reply_to_id, external_id, metadata, edited_at, redacted_at, created_at, updated_at, version, template_id, author_end_user_id, attachments, body_html, email, delivery, mentions, search) values ($106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121, $122, $123, $124, $125, $126, $127, $128, $129, array_to_tsvector($130::text[])) returning 1), w3 as (insert into email_contents (tenant_id, message_id, headers, text, html)
    select $131::uuid, message_id, headers, text, html from (values ($132::uuid, $133::json, $134::text, $135::text)) as v (message_id, headers, text, html) returning 1), w4 as (insert into email_references (tenant_id, reference, message_id, conversation_id, is_sent, created_at)
    select $136::uuid, reference, message_id, conversation_id, is_sent, created_at from (values ($137::text, $138::uuid, $139::uuid, $140::boolean, $141::timestamptz)) as v (reference, message_id, conversation_id, is_sent, created_at) returning 1), w5 as (delete from end_user_addresses using unnest($142::text[],
      $143::text[], $144::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $145 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), w6 as (insert into end_user_addresses (tenant_id, kind, address, end_user_id, is_verified)
    select $146::uuid, v.kind, v.address, v.end_user_id, v.is_verified
    from unnest($147::text[], $148::text[],
      $149::uuid[], $150::boolean[])
      as v (kind, address, end_user_id, is_verified) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $151::bigint) + $152::bigint
    where tenant_id = $153 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $154::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($155::uuid[], $156::text[], $157::timestamptz[], $158::uuid[], $159::text[], $160::uuid[], $161::integer[], $162::text[], $163::text[], $164::text[], $165::text[], $166::text[], $167::text[], $168::text[], $169::json[], $170::json[], $171::json[], $172::text[], $173::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $174::bigint)::integer / ((select count(*) from g1) = $175::bigint)::integer / ((select count(*) from g2) = $176::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from w3) >= 0)::integer / ((select count(*) from w4) >= 0)::integer / ((select count(*) from w5) >= 0)::integer / ((select count(*) from w6) >= 0)::integer / ((select count(*) from head) = $177::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (update end_users set external_id = v.external_id, name = v.name, emails = v.emails, phones = array(select jsonb_array_elements_text(v.phones::jsonb)), language = v.language, timezone = v.timezone, avatar_url = v.avatar_url, company_ids = array(select jsonb_array_elements_text(v.company_ids::jsonb))::uuid[], metadata = v.metadata, verified_at = v.verified_at, blocked_at = v.blocked_at, blocked_until = v.blocked_until, block_reason = v.block_reason, merged_into_id = v.merged_into_id, erased_at = v.erased_at, updated_at = v.updated_at, version = v.version, legal_hold_reason = v.legal_hold_reason, legal_hold_since = v.legal_hold_since, name_key = v.name_key, search = case when v.search is null then null else array_to_tsvector(array(select jsonb_array_elements_text(v.search::jsonb))) end, custom_values = v.custom_values from unnest($14::uuid[], $15::text[], $16::text[], $17::json[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::json[], $24::timestamptz[], $25::timestamptz[], $26::timestamptz[], $27::text[], $28::uuid[], $29::timestamptz[], $30::timestamptz[], $31::integer[], $32::text[], $33::timestamptz[], $34::text[], $35::text[], $36::json[]) as v (id, external_id, name, emails, phones, language, timezone, avatar_url, company_ids, metadata, verified_at, blocked_at, blocked_until, block_reason, merged_into_id, erased_at, updated_at, version, legal_hold_reason, legal_hold_since, name_key, search, custom_values)
      where end_users.tenant_id = $37 and end_users.id = v.id and end_users.version = v.version - 1 returning 1), w0 as (update end_users set merged_into_id = $38 where tenant_id = $39 and merged_into_id = $40 returning 1), w1 as (delete from end_user_addresses using unnest($41::text[],
      $42::text[], $43::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $44 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($45, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $46::bigint) + $47::bigint
    where tenant_id = $48 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $49::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from unnest($50::uuid[], $51::text[], $52::timestamptz[], $53::uuid[], $54::text[], $55::uuid[], $56::integer[], $57::text[], $58::text[], $59::text[], $60::text[], $61::text[], $62::text[], $63::text[], $64::json[], $65::json[], $66::json[], $67::text[], $68::integer[]) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $69::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from c0) = $70::bigint)::integer / ((select count(*) from head) = $71::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteAddresses
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, array_to_tsvector($26::text[]), $27) returning 1), w1 as (delete from end_user_addresses using unnest($28::text[],
      $29::text[], $30::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = $31 and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id returning 1), w2 as (insert into end_user_addresses (tenant_id, kind, address, end_user_id, is_verified)
    select $32::uuid, v.kind, v.address, v.end_user_id, v.is_verified
    from unnest($33::text[], $34::text[],
      $35::uuid[], $36::boolean[])
      as v (kind, address, end_user_id, is_verified) returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $37::bigint) + $38::bigint
    where tenant_id = $39 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $40::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($41::uuid, $42::text, $43::timestamptz, $44::uuid, $45::text, $46::uuid, $47::integer, $48::text, $49::text, $50::text, $51::text, $52::text, $53::text, $54::text, $55::json, $56::json, $57::json, $58::text, $59::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer / ((select count(*) from head) = $60::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: deleteMembers
with g0 as (update end_users set external_id = $1, name = $2, emails = $3, phones = $4, language = $5, timezone = $6, avatar_url = $7, company_ids = $8, metadata = $9, verified_at = $10, blocked_at = $11, blocked_until = $12, block_reason = $13, merged_into_id = $14, erased_at = $15, updated_at = $16, version = $17, legal_hold_reason = $18, legal_hold_since = $19, name_key = $20, search = array_to_tsvector($21::text[]), custom_values = $22 where tenant_id = $23 and id = $24 and version = $25 returning 1), w0 as (delete from company_members using unnest($26::uuid[],
      $27::uuid[]) as gone (company_id, end_user_id)
    where company_members.tenant_id = $28 and company_members.company_id = gone.company_id
      and company_members.end_user_id = gone.end_user_id returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($29, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $30::bigint) + $31::bigint
    where tenant_id = $32 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $33::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($34::uuid, $35::text, $36::timestamptz, $37::uuid, $38::text, $39::uuid, $40::integer, $41::text, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::json, $49::json, $50::json, $51::text, $52::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $53::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from c0) = $54::bigint)::integer / ((select count(*) from head) = $55::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: findOwnerOfAddress
select end_user_id as id from end_user_addresses
    where tenant_id = $1 and kind = 'email' and address = any($2::text[]) and is_verified
      and end_user_id <> $3 limit 1;

-- packages/server/src/support/people/end-users/queries.ts: idsBy
select named.external_id::text as id, array(select also.id from end_users also
        where also.tenant_id = $1 and also.merged_into_id = coalesce(named.merged_into_id, named.id))
          || coalesce(named.merged_into_id, named.id) as found
      from end_users named where named.tenant_id = $2 and named.external_id = any($3::text[]);

-- packages/server/src/support/people/end-users/queries.ts: idsBy
select named.id::text as id, array(select also.id from end_users also
        where also.tenant_id = $1 and also.merged_into_id = coalesce(named.merged_into_id, named.id))
          || coalesce(named.merged_into_id, named.id) as found
      from end_users named where named.tenant_id = $2 and named.id = any($3::uuid[]);

-- packages/server/src/support/people/end-users/queries.ts: insertMembers
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), w0 as (insert into end_users (tenant_id, id, external_id, name, emails, phones, company_ids, metadata, created_at, updated_at, version, name_key, search, custom_values) values ($14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, array_to_tsvector($26::text[]), $27) returning 1), w1 as (insert into company_members (tenant_id, company_id, end_user_id)
    select $28::uuid, v.company_id, v.end_user_id
    from unnest($29::uuid[], $30::uuid[])
      as v (company_id, end_user_id)
    on conflict (tenant_id, company_id, end_user_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $31::bigint) + $32::bigint
    where tenant_id = $33 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $34::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($35::uuid, $36::text, $37::timestamptz, $38::uuid, $39::text, $40::uuid, $41::integer, $42::text, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::json, $50::json, $51::json, $52::text, $53::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $54::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: raiseGenerations
with f0 as (delete from due_work using (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id returning 1), g0 as (update end_users set external_id = $4, name = $5, emails = $6, phones = $7, language = $8, timezone = $9, avatar_url = $10, company_ids = $11, metadata = $12, verified_at = $13, blocked_at = $14, blocked_until = $15, block_reason = $16, merged_into_id = $17, erased_at = $18, updated_at = $19, version = $20, legal_hold_reason = $21, legal_hold_since = $22, name_key = $23, search = array_to_tsvector($24::text[]), custom_values = $25 where tenant_id = $26 and id = $27 and version = $28 returning 1), w0 as (delete from import_mappings where tenant_id = $29 and type = 'end_user'
    and object_id = any($30::uuid[]) returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($31, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $32::bigint) + $33::bigint
    where tenant_id = $34 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $35::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($36::uuid, $37::text, $38::timestamptz, $39::uuid, $40::text, $41::uuid, $42::integer, $43::text, $44::text, $45::text, $46::text, $47::text, $48::text, $49::text, $50::json, $51::json, $52::json, $53::text, $54::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $55::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from c0) = $56::bigint)::integer / ((select count(*) from head) = $57::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/people/end-users/queries.ts: raiseGenerations
with r0 as (update end_users set external_id = $1, name = $2, emails = $3, phones = $4, language = $5, timezone = $6, avatar_url = $7, company_ids = $8, metadata = $9, verified_at = $10, blocked_at = $11, blocked_until = $12, block_reason = $13, merged_into_id = $14, erased_at = $15, updated_at = $16, version = $17, legal_hold_reason = $18, legal_hold_since = $19, name_key = $20, search = array_to_tsvector($21::text[]), custom_values = $22 where tenant_id = $23 and id = $24 and version = $25 returning 1), w0 as (insert into erasures (tenant_id, id, end_user_id, mode, counts, audit_head_before, audit_head_after, exports, completed_at, sha256, created_at, updated_at, version) values ($26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38) returning 1), w1 as (delete from former_participants where tenant_id = $39 and end_user_id = any($40::uuid[]) returning 1), c0 as (insert into end_user_generations (tenant_id, generation) values ($41, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1) select 1 / ((select count(*) from r0) = $42::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from c0) = $43::bigint)::integer;

-- packages/server/src/support/people/identity-keys/queries.ts: newestKeys
select identity_keys.id, identity_keys.name, identity_keys.algorithm, identity_keys.public_key, identity_keys.sealed_secret, identity_keys.issuer, identity_keys.audience, identity_keys.created_at, identity_keys.updated_at, identity_keys.version from identity_keys
    where tenant_id = $1 order by id desc limit $2;

-- packages/server/src/support/people/senders/queries.ts: findHolders
select asked.address,
      (select h.end_user_id from end_user_addresses h where h.tenant_id = $1 and h.kind = 'email'
        and h.address = asked.address and h.is_verified limit 1) as verified_id,
      (select s.end_user_id from email_senders s where s.tenant_id = $2 and s.address = asked.address) as sender_id,
      (select o.id from operators o where o.tenant_id = $3 and o.email_key = asked.address and not o.archived
        limit 1) as operator_id
    from unnest($4::text[]) as asked (address);

-- packages/server/src/support/people/sessions/queries.ts: findSessions
select encode(s.token_hash, 'hex') as "tokenHash", s.id,
      s.end_user_id as "ownerId", coalesce(t.id, o.id) as "endUserId", s.conversation_id as "conversationId",
      s.expires_at as "expiresAt", s.revoked_at as "revokedAt", s.last_used_at as "lastUsedAt",
      case when t.id is null then o.blocked_at else t.blocked_at end as "blockedAt",
      case when t.id is null then o.blocked_until else t.blocked_until end as "blockedUntil",
      coalesce(t.erased_at, o.erased_at) as "erasedAt",
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from end_user_sessions s join environments e on e.id = s.tenant_id
    join end_users o on o.tenant_id = $1 and o.id = s.end_user_id
    left join end_users t on t.tenant_id = $2 and t.id = o.merged_into_id
    where s.tenant_id = $3 and s.token_hash = any($4::bytea[]);

-- packages/server/src/support/people/sessions/queries.ts: ofEndUser
select count(*) from (select 1 from end_user_sessions where end_user_sessions.tenant_id = $1 and end_user_id in (select $2::uuid union all
    select id from end_users where tenant_id = $3 and merged_into_id = $4) limit $5) found;

-- packages/server/src/support/people/sessions/queries.ts: sessionTable
select end_user_sessions.id, end_user_sessions.token_hash, end_user_sessions.end_user_id, end_user_sessions.conversation_id, end_user_sessions.created_by, end_user_sessions.lifetime_seconds, end_user_sessions.expires_at, end_user_sessions.revoked_at, end_user_sessions.last_used_at, end_user_sessions.created_at, end_user_sessions.updated_at, end_user_sessions.version, coalesce((select own.merged_into_id from end_users own
      where own.tenant_id = $1 and own.id = end_user_sessions.end_user_id), end_user_sessions.end_user_id) as holder_id from end_user_sessions
    where tenant_id = $2 and end_user_id in (select $3::uuid union all
    select id from end_users where tenant_id = $4 and merged_into_id = $5) and revoked_at is null and expires_at > $6
    order by id;

-- packages/server/src/support/people/sessions/queries.ts: sessionTable
select end_user_sessions.id, end_user_sessions.token_hash, end_user_sessions.end_user_id, end_user_sessions.conversation_id, end_user_sessions.created_by, end_user_sessions.lifetime_seconds, end_user_sessions.expires_at, end_user_sessions.revoked_at, end_user_sessions.last_used_at, end_user_sessions.created_at, end_user_sessions.updated_at, end_user_sessions.version, coalesce((select own.merged_into_id from end_users own
      where own.tenant_id = $1 and own.id = end_user_sessions.end_user_id), end_user_sessions.end_user_id) as holder_id from end_user_sessions
    where tenant_id = $2 and token_hash = $3 and revoked_at is null and expires_at > $4;

-- packages/server/src/support/people/sessions/queries.ts: sessionTable
select end_user_sessions.id, end_user_sessions.token_hash, end_user_sessions.end_user_id, end_user_sessions.conversation_id, end_user_sessions.created_by, end_user_sessions.lifetime_seconds, end_user_sessions.expires_at, end_user_sessions.revoked_at, end_user_sessions.last_used_at, end_user_sessions.created_at, end_user_sessions.updated_at, end_user_sessions.version, coalesce((select own.merged_into_id from end_users own
      where own.tenant_id = $1 and own.id = end_user_sessions.end_user_id), end_user_sessions.end_user_id) as holder_id from end_user_sessions where end_user_sessions.tenant_id = $2 order by id desc limit 10;

-- packages/server/src/support/people/sessions/queries.ts: takesPart
select 1 as found from conversations where tenant_id = $1 and id = $2
    and (end_user_id = any($3::uuid[]) or exists (select 1 from conversation_participants part
        where part.tenant_id = $4 and part.conversation_id = conversations.id
          and part.end_user_id = any($5::uuid[]) and part.confirmed)
      or (end_user_id is null and external_user_id = $6));

-- packages/server/src/support/people/sessions/queries.ts: touchSessions
update end_user_sessions set last_used_at = $1 from (
      select id from end_user_sessions where tenant_id = $2 and id = any($3::uuid[])
        and (last_used_at is null or last_used_at < $4) order by id for update skip locked) used
    where end_user_sessions.tenant_id = $5 and end_user_sessions.id = used.id;

-- packages/server/src/support/people/sessions/queries.ts: touchSessions
update end_users set last_seen_at = $1 from (
      select id from end_users where tenant_id = $2 and id = any($3::uuid[])
        and (last_seen_at is null or last_seen_at < $4::timestamptz - interval '1 minute')
      order by id for update skip locked) seen
    where end_users.tenant_id = $5 and end_users.id = seen.id;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: findTask
select field_id, applies_to, slot, after, fence::text as fence
    from custom_field_tasks where tenant_id = $1 and field_id = $2;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: haveEndedBefore
select
    pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 and not exists (
      select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and age(backend_xmin) > age($2::text::xid8::xid)) as ended;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: moveTask
update custom_field_tasks set after = $1 where tenant_id = $2 and field_id = $3;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: nextObjects
select id, custom_values -> $1::text as value from companies
    where tenant_id = $2 and id > $3 order by id limit $4;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: nextTransaction
select pg_snapshot_xmax(pg_current_snapshot())::text as next;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: removeValues
with g0 as (update jobs set status = $1, params = $2, state = $3, done = $4, total = $5, failed = $6, result = $7, error = $8, started_at = $9, ended_at = $10, expires_at = $11, updated_at = $12, version = $13, attempts = $14 where tenant_id = $15 and id = $16 and version = $17 returning 1), w0 as (update companies set custom_values = nullif(custom_values - $18::text, '{}'::jsonb)
    where tenant_id = $19 and id = any($20::uuid[]) returning 1) select 1 / ((select count(*) from g0) = $21::bigint)::integer / ((select count(*) from w0) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/indexing/queries.ts: someEntries
select value, subject_id from custom_field_values
    where tenant_id = $1 and field_id = $2 limit $3;

-- packages/server/src/support/properties/custom-fields/queries.ts: allCustomFields
select custom_fields.id, custom_fields.applies_to, custom_fields.key, custom_fields.name, custom_fields.description, custom_fields.type, custom_fields.options, custom_fields.required_on, custom_fields.end_user_access, custom_fields.indexed, custom_fields.index_ready, custom_fields.position, custom_fields.archived, custom_fields.created_at, custom_fields.updated_at, custom_fields.version from custom_fields
    where tenant_id = $1 order by position, id;

-- packages/server/src/support/properties/custom-fields/queries.ts: findCustomFieldByKey
select id from custom_fields where tenant_id = $1 and applies_to = $2 and key = $3;

-- packages/server/src/support/properties/custom-fields/queries.ts: generationOf
select tenant_id as id, generation from custom_field_generations where tenant_id = $1;

-- packages/server/src/support/properties/custom-fields/queries.ts: raiseGenerations
with c0 as (insert into custom_field_generations (tenant_id, generation) values ($1, 1)
    on conflict (tenant_id) do update set generation = custom_field_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $2::bigint) + $3::bigint
    where tenant_id = $4 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $5::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($6::uuid, $7::text, $8::timestamptz, $9::uuid, $10::text, $11::uuid, $12::integer, $13::text, $14::text, $15::text, $16::text, $17::text, $18::text, $19::text, $20::json, $21::json, $22::json, $23::text, $24::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from c0) = $25::bigint)::integer / ((select count(*) from head) = $26::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/queries.ts: raiseGenerations
with f0 as (insert into due_work (tenant_id, duty, subject_id, due_at, retry_at)
    select $1::uuid, duty, subject_id, due_at, retry_at from (values ($2::text, $3::uuid, $4::timestamptz, $5::timestamptz)) as v (duty, subject_id, due_at, retry_at) on conflict (tenant_id, duty, subject_id)
    do update set due_at = excluded.due_at, appointment = due_work.appointment + 1, attempts = 0,
      retry_at = excluded.retry_at
    returning 1), g0 as (delete from custom_fields where tenant_id = $6 and id = $7 and version = $8 returning 1), w0 as (insert into custom_field_tasks (tenant_id, field_id, applies_to, slot, after)
    values ($9, $10, $11, $12, $13)
    on conflict (tenant_id, field_id) do update set fence = null, after = excluded.after returning 1), c0 as (insert into custom_field_generations (tenant_id, generation) values ($14, 1)
    on conflict (tenant_id) do update set generation = custom_field_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $15::bigint) + $16::bigint
    where tenant_id = $17 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $18::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($19::uuid, $20::text, $21::timestamptz, $22::uuid, $23::text, $24::uuid, $25::integer, $26::text, $27::text, $28::text, $29::text, $30::text, $31::text, $32::text, $33::json, $34::json, $35::json, $36::text, $37::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $38::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from c0) = $39::bigint)::integer / ((select count(*) from head) = $40::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/queries.ts: raiseGenerations
with f0 as (select 1 from (select 1 from due_work, (values ($1::text, $2::uuid)) as v (duty, subject_id) where due_work.tenant_id = $3 and due_work.duty = v.duty and due_work.subject_id = v.subject_id
    order by due_work.duty, due_work.subject_id for update of due_work) locked), g0 as (delete from due_work using (values ($4::text, $5::uuid, $6::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $7 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update custom_fields set name = $8, description = $9, options = $10, required_on = $11, end_user_access = $12, indexed = $13, index_ready = $14, position = $15, archived = $16, updated_at = $17, version = $18 where tenant_id = $19 and id = $20 and version = $21 returning 1), w0 as (delete from custom_field_tasks where tenant_id = $22 and field_id = $23 returning 1), c0 as (insert into custom_field_generations (tenant_id, generation) values ($24, 1)
    on conflict (tenant_id) do update set generation = custom_field_generations.generation + 1 returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $25::bigint) + $26::bigint
    where tenant_id = $27 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $28::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($29::uuid, $30::text, $31::timestamptz, $32::uuid, $33::text, $34::uuid, $35::integer, $36::text, $37::text, $38::text, $39::text, $40::text, $41::text, $42::text, $43::json, $44::json, $45::json, $46::text, $47::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from f0) >= 0)::integer / ((select count(*) from g0) = $48::bigint)::integer / ((select count(*) from g1) = $49::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from c0) = $50::bigint)::integer / ((select count(*) from head) = $51::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select companies.id, case when companies.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(companies.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields
    from companies where companies.tenant_id = $2 and companies.id = any($3::uuid[]);

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select companies.id, companies.external_id, companies.name, companies.domains, companies.metadata, companies.archived, companies.created_at, companies.updated_at, companies.version, case when companies.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(companies.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields, (select count(*) from company_members m
      where m.tenant_id = $2 and m.company_id = companies.id) as end_user_count from companies where companies.tenant_id = $3 and companies.id = $4;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select end_users.id, end_users.external_id, end_users.name, end_users.emails, end_users.phones, end_users.language, end_users.timezone, end_users.avatar_url, end_users.company_ids, end_users.metadata, end_users.verified_at, end_users.last_seen_at, end_users.blocked_at, end_users.blocked_until, end_users.block_reason, end_users.merged_into_id, end_users.erased_at, end_users.created_at, end_users.updated_at, end_users.version, end_users.legal_hold_reason, end_users.legal_hold_since, case when end_users.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(end_users.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields from end_users where end_users.tenant_id = $2 and (merged_into_id is null and erased_at is null) and (coalesce(last_seen_at, '-infinity'), id) < ($3, $4) order by coalesce(last_seen_at, '-infinity') desc, id desc limit 10;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select end_users.id, end_users.external_id, end_users.name, end_users.emails, end_users.phones, end_users.language, end_users.timezone, end_users.avatar_url, end_users.company_ids, end_users.metadata, end_users.verified_at, end_users.last_seen_at, end_users.blocked_at, end_users.blocked_until, end_users.block_reason, end_users.merged_into_id, end_users.erased_at, end_users.created_at, end_users.updated_at, end_users.version, end_users.legal_hold_reason, end_users.legal_hold_since, case when end_users.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(end_users.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields from end_users where end_users.tenant_id = $2 and (merged_into_id is null and erased_at is null) order by coalesce(last_seen_at, '-infinity') desc, id desc limit 10;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select end_users.id, end_users.external_id, end_users.name, end_users.emails, end_users.phones, end_users.language, end_users.timezone, end_users.avatar_url, end_users.company_ids, end_users.metadata, end_users.verified_at, end_users.last_seen_at, end_users.blocked_at, end_users.blocked_until, end_users.block_reason, end_users.merged_into_id, end_users.erased_at, end_users.created_at, end_users.updated_at, end_users.version, end_users.legal_hold_reason, end_users.legal_hold_since, case when end_users.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(end_users.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields from end_users where end_users.tenant_id = $2 and end_users.id = $3;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select named.external_id as key, end_users.id, end_users.external_id, end_users.name, end_users.emails, end_users.phones, end_users.language, end_users.timezone, end_users.avatar_url, end_users.company_ids, end_users.metadata, end_users.verified_at, end_users.last_seen_at, end_users.blocked_at, end_users.blocked_until, end_users.block_reason, end_users.merged_into_id, end_users.erased_at, end_users.created_at, end_users.updated_at, end_users.version, end_users.legal_hold_reason, end_users.legal_hold_since, case when end_users.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(end_users.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields from end_users named
    join end_users on end_users.tenant_id = $2 and end_users.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = $3 and named.external_id = $4;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: customValuesIn
select named.id as asked, end_users.id, end_users.external_id, end_users.name, end_users.emails, end_users.phones, end_users.language, end_users.timezone, end_users.avatar_url, end_users.company_ids, end_users.metadata, end_users.verified_at, end_users.last_seen_at, end_users.blocked_at, end_users.blocked_until, end_users.block_reason, end_users.merged_into_id, end_users.erased_at, end_users.created_at, end_users.updated_at, end_users.version, end_users.legal_hold_reason, end_users.legal_hold_since, case when end_users.custom_values is null then '[]'::json else (
    select coalesce(json_agg(json_build_object('field_id', field.id, 'key', field.key, 'access', field.end_user_access,
        'value', stored.value) order by field.key collate "C"), '[]'::json)
      from jsonb_each(end_users.custom_values) stored
        cross join lateral (select * from custom_fields field where field.tenant_id = $1
          and field.slot = stored.key limit 1) field) end as custom_fields
    from end_users named join end_users
      on end_users.tenant_id = $2 and end_users.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = $3 and named.id = any($4::uuid[]);

-- packages/server/src/support/properties/custom-fields/values/queries.ts: deleteIndexed
with g0 as (delete from due_work using (values ($1::text, $2::uuid, $3::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), w0 as (delete from custom_field_values using (values ($5::uuid, $6::text, $7::uuid)) as v (field_id, value, subject_id) where custom_field_values.tenant_id = $8
    and custom_field_values.field_id = v.field_id and custom_field_values.value = v.value
    and custom_field_values.subject_id = v.subject_id returning 1), w1 as (update companies set custom_values = nullif(custom_values - $9::text, '{}'::jsonb)
    where tenant_id = $10 and id = any($11::uuid[]) returning 1), w2 as (delete from custom_field_tasks where tenant_id = $12 and field_id = $13 returning 1) select 1 / ((select count(*) from g0) = $14::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from w2) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: insertIndexed
with g0 as (update companies set external_id = $1, name = $2, domains = $3, metadata = $4, archived = $5, updated_at = $6, version = $7, name_key = $8, search = array_to_tsvector($9::text[]), custom_values = $10 where tenant_id = $11 and id = $12 and version = $13 returning 1), w0 as (delete from custom_field_values using (values ($14::uuid, $15::text, $16::uuid)) as v (field_id, value, subject_id) where custom_field_values.tenant_id = $17
    and custom_field_values.field_id = v.field_id and custom_field_values.value = v.value
    and custom_field_values.subject_id = v.subject_id returning 1), w1 as (insert into custom_field_values (tenant_id, field_id, value, subject_id)
    select $18::uuid, field.id, v.value, v.subject_id from (values ($19::uuid, $20::text, $21::uuid)) as v (field_id, value, subject_id)
      join custom_fields field on field.tenant_id = $22 and field.id = v.field_id and field.indexed
    on conflict (tenant_id, field_id, value, subject_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $23::bigint) + $24::bigint
    where tenant_id = $25 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $26::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($27::uuid, $28::text, $29::timestamptz, $30::uuid, $31::text, $32::uuid, $33::integer, $34::text, $35::text, $36::text, $37::text, $38::text, $39::text, $40::text, $41::json, $42::json, $43::json, $44::text, $45::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $46::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $47::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: insertIndexed
with k as (insert into idempotency_keys (tenant_id, written_at, key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id)
    select $1::uuid, now(), key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id from (values ($2::text, $3::bytea, $4::text, $5::timestamptz, $6::integer, $7::text, $8::text, $9::text, $10::bytea, $11::uuid, $12::uuid, $13::uuid)) as v (key, fingerprint, request_id, created_at, status, location, etag, own_body, sealed, resource_id, event_stream_id, event_id) returning 1), g0 as (select 1 from (values ($14::bigint)) as v (generation) where v.generation = coalesce((select generation from custom_field_generations where tenant_id = $15), 0)), w0 as (insert into companies (tenant_id, id, external_id, name, domains, metadata, archived, created_at, updated_at, version, name_key, search, custom_values) values ($16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, array_to_tsvector($27::text[]), $28) returning 1), w1 as (insert into custom_field_values (tenant_id, field_id, value, subject_id)
    select $29::uuid, field.id, v.value, v.subject_id from (values ($30::uuid, $31::text, $32::uuid)) as v (field_id, value, subject_id)
      join custom_fields field on field.tenant_id = $33 and field.id = v.field_id and field.indexed
    on conflict (tenant_id, field_id, value, subject_id) do nothing returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $34::bigint) + $35::bigint
    where tenant_id = $36 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $37::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($38::uuid, $39::text, $40::timestamptz, $41::uuid, $42::text, $43::uuid, $44::integer, $45::text, $46::text, $47::text, $48::text, $49::text, $50::text, $51::text, $52::json, $53::json, $54::json, $55::text, $56::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from k) >= 0)::integer / ((select count(*) from g0) = $57::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $58::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/properties/custom-fields/values/queries.ts: insertKnownIndexed
with g0 as (delete from due_work using (values ($1::text, $2::uuid, $3::integer)) as v (duty, subject_id, appointment)
    where due_work.tenant_id = $4 and due_work.duty = v.duty and due_work.subject_id = v.subject_id and due_work.appointment = v.appointment returning 1), g1 as (update custom_fields set name = $5, description = $6, options = $7, required_on = $8, end_user_access = $9, indexed = $10, index_ready = $11, position = $12, archived = $13, updated_at = $14, version = $15 where tenant_id = $16 and id = $17 and version = $18 returning 1), w0 as (insert into custom_field_values (tenant_id, field_id, value, subject_id)
    select $19::uuid, v.field_id, v.value, v.subject_id from (values ($20::uuid, $21::text, $22::uuid)) as v (field_id, value, subject_id)
    on conflict (tenant_id, field_id, value, subject_id) do nothing returning 1), w1 as (delete from custom_field_tasks where tenant_id = $23 and field_id = $24 returning 1) select 1 / ((select count(*) from g0) = $25::bigint)::integer / ((select count(*) from g1) = $26::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer;

-- packages/server/src/support/sla/sla-configs/queries.ts: deleteTagUses
with g0 as (delete from sla_configs where tenant_id = $1 and id = $2 and version = $3 returning 1), w0 as (insert into sla_generations (tenant_id, generation) values ($4, 1)
    on conflict (tenant_id) do update set generation = sla_generations.generation + 1 returning 1), w1 as (delete from sla_config_tags using (values ($5::uuid, $6::uuid)) as v (tag_id, sla_config_id) where sla_config_tags.tenant_id = $7
    and sla_config_tags.tag_id = v.tag_id and sla_config_tags.sla_config_id = v.sla_config_id returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $8::bigint) + $9::bigint
    where tenant_id = $10 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $11::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($12::uuid, $13::text, $14::timestamptz, $15::uuid, $16::text, $17::uuid, $18::integer, $19::text, $20::text, $21::text, $22::text, $23::text, $24::text, $25::text, $26::json, $27::json, $28::json, $29::text, $30::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from g0) = $31::bigint)::integer / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $32::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/sla/sla-configs/queries.ts: findSlaConfigByName
select id from sla_configs where tenant_id = $1 and name_key = $2;

-- packages/server/src/support/sla/sla-configs/queries.ts: nextPosition
select least(coalesce(max(position), 0) + 1::bigint, 2147483647) as next
    from sla_configs where tenant_id = $1;

-- packages/server/src/support/team/departments/queries.ts: countMembersByStatus
select o.status, count(*) as count from department_members m
    join operators o on o.tenant_id = $1 and o.id = m.operator_id
    where m.tenant_id = $2 and m.department_id = $3 and not o.archived group by o.status;

-- packages/server/src/support/team/operators/queries.ts: countPeriods
select count(*) from (select 1 from operator_status_periods where tenant_id = $1 and operator_id = $2 limit $3) found;

-- packages/server/src/support/team/operators/queries.ts: findActingOperator
select archived from operators where tenant_id = $1 and id = $2;

-- packages/server/src/support/team/operators/queries.ts: findOperatorByEmail
select id from operators where tenant_id = $1 and email_key = $2;

-- packages/server/src/support/team/operators/queries.ts: findOperatorByExternalId
select id from operators where tenant_id = $1 and external_id = $2;

-- packages/server/src/support/team/operators/queries.ts: findOtherAdmin
select id from operators
    where tenant_id = $1 and role = 'admin' and not archived and id <> $2 order by id limit 1;

-- packages/server/src/support/team/operators/queries.ts: insertPeriods
with w0 as (insert into operators (tenant_id, id, name, email, external_id, role, capacity, timezone, archived, metadata, status, status_reason, status_since, status_until, status_then, offline_by_hand, open_conversations, created_at, updated_at, version, name_key, email_key) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) returning 1), w1 as (insert into operator_status_periods (tenant_id, operator_id, started_at, status, reason)
    select $23::uuid, operator_id, started_at, status, reason from (values ($24::uuid, $25::timestamptz, $26::text, $27::text)) as v (operator_id, started_at, status, reason)
    on conflict (tenant_id, operator_id, started_at) do update set status = excluded.status, reason = excluded.reason returning 1), head as (update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint, $28::bigint) + $29::bigint
    where tenant_id = $30 returning tenant_id, position), e as (insert into events (tenant_id, position, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited)
    select $31::uuid, ((select position from head) - v.below)::text::xid8, id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited from (values ($32::uuid, $33::text, $34::timestamptz, $35::uuid, $36::text, $37::uuid, $38::integer, $39::text, $40::text, $41::text, $42::text, $43::text, $44::text, $45::text, $46::json, $47::json, $48::json, $49::text, $50::integer)) as v (id, type, created_at, stream_id, resource_type, resource_id, resource_version, actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, related, audited, below) returning 1) select 1 / ((select count(*) from w0) >= 0)::integer / ((select count(*) from w1) >= 0)::integer / ((select count(*) from head) = $51::bigint)::integer / ((select count(*) from e) >= 0)::integer;

-- packages/server/src/support/team/operators/queries.ts: listPeriods
select p.status, p.reason, p.started_at as "from",
      (select min(n.started_at) from operator_status_periods n
        where n.tenant_id = $1 and n.operator_id = $2 and n.started_at > p.started_at) as "to"
    from operator_status_periods p
    where p.tenant_id = $3 and p.operator_id = $4
    order by p.started_at desc limit $5;

-- packages/server/src/support/team/operators/queries.ts: listPeriods
select p.status, p.reason, p.started_at as "from",
      (select min(n.started_at) from operator_status_periods n
        where n.tenant_id = $1 and n.operator_id = $2 and n.started_at > p.started_at) as "to"
    from operator_status_periods p
    where p.tenant_id = $3 and p.operator_id = $4
    order by p.started_at limit $5;

-- packages/server/src/support/team/operators/queries.ts: listPeriods
select p.status, p.reason, p.started_at as "from",
      (select min(n.started_at) from operator_status_periods n
        where n.tenant_id = $1 and n.operator_id = $2 and n.started_at > p.started_at) as "to"
    from operator_status_periods p
    where p.tenant_id = $3 and p.operator_id = $4 and p.started_at < $5
    order by p.started_at desc limit $6;

-- packages/server/src/support/team/operators/queries.ts: listPeriods
select p.status, p.reason, p.started_at as "from",
      (select min(n.started_at) from operator_status_periods n
        where n.tenant_id = $1 and n.operator_id = $2 and n.started_at > p.started_at) as "to"
    from operator_status_periods p
    where p.tenant_id = $3 and p.operator_id = $4 and p.started_at > $5
    order by p.started_at limit $6;

-- packages/server/src/support/team/operators/queries.ts: memberOf
select count(*) from (select 1 from operators where operators.tenant_id = $1 and id in (select m.operator_id from department_members m
    where m.tenant_id = $2 and m.department_id = $3) limit $4) found;

-- packages/server/src/support/team/operators/queries.ts: operatorTable
select operators.id, operators.name, operators.email, operators.external_id, operators.role, operators.capacity, operators.timezone, operators.archived, operators.metadata, operators.status, operators.status_reason, operators.status_since, operators.status_until, operators.status_then, operators.offline_by_hand, operators.open_conversations, operators.created_at, operators.updated_at, operators.version, array(select m.department_id from department_members m
      where m.tenant_id = $1 and m.operator_id = operators.id order by m.department_id) as department_ids from operators where operators.tenant_id = $2 and operators.id = $3;

-- packages/server/src/support/team/operators/queries.ts: sumPeriods
select status, sum(round(extract(epoch from ended_at - greatest(started_at, $1)) * 1000))::bigint as ms
    from (select status, started_at, lead(started_at, 1, $2::timestamptz) over (order by started_at) as ended_at
      from operator_status_periods
      where tenant_id = $3 and operator_id = $4 and started_at < $5
        and started_at >= (select max(started_at) from operator_status_periods
          where tenant_id = $6 and operator_id = $7 and started_at <= $8)) periods
    where ended_at > $9 group by status;
