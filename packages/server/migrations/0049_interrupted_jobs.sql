-- The number of times that a process has taken the job and has not handed it back.
alter table jobs add column attempts integer not null default 0;

-- True if the params name a person who was erased: they are no longer shown, and emptied when the job ends.
alter table jobs add column erases_params boolean not null default false;
