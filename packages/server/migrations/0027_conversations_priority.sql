-- What is urgent is rare, and would be looked for among all. Most conversations have the default and are not in it.
create index conversations_priority on conversations (tenant_id, priority, id) where priority <> 'normal';
