-- The mail listener does not know the environment of a mailbox that an address names by its id.
create index mailboxes_id on mailboxes (id);
