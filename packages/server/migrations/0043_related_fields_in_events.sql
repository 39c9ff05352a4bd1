-- An event of a message also has the fields of its conversation that changed with it: {"conversation": {…}}. Null for
-- events without such fields, and for those from before this column.
alter table events add column related json;
