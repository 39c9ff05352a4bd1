-- The number belongs to the jobs engine, whose migration replaces this file.
select 1;
