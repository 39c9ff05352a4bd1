-- The number belongs to the follow-ups, whose migration replaces this file.
select 1;
