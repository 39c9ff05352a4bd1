import type { Db } from '../src/db/database.ts'
import { sql } from '../src/db/sql.ts'

/** Copies a conversation's first message so many times, by SQL: more than can be sent in a test's time. */
export const repeatMessage = (db: Db, tenantId: string, conversationId: string, times: number) =>
  db.write(sql`/* test */ insert into messages
    select (jsonb_populate_record(m, jsonb_build_object('sequence', n + 1,
        'id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')))).*
      from messages m, generate_series(1, ${times}::integer) n
      where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} and m.sequence = 1`)
