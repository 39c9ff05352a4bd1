-- The number belongs to the erasure of people, whose migration replaces this file.
select 1;
