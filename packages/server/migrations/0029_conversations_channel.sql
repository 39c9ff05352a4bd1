-- A channel that few conversations came by would be looked for among all. Those of the default channel are not in it.
create index conversations_channel on conversations (tenant_id, channel, id) where channel <> 'api';
