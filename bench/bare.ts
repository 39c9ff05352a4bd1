import fastify from 'fastify'
import pg from 'pg'

/*
 * The server that beside.ts compares the product with: conversations and messages as an engineer writes them by hand in
 * an hour. One key, one environment; no idempotency, events, SLAs, rate limits, search, or end users as resources. The
 * database comes from libpq's environment variables, the key and the port from API_KEY and PORT.
 */
const database = new pg.Pool()
await database.query(`
  create table conversations (
    id uuid primary key default gen_random_uuid(),
    external_user_id text not null,
    subject text,
    status text not null default 'new',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create index on conversations (created_at, id);
  create index on conversations (status, created_at, id);
  create table messages (
    id uuid primary key default gen_random_uuid(),
    conversation_id uuid not null references conversations,
    author_side text not null,
    body text not null,
    created_at timestamptz not null default now()
  );
  create index on messages (conversation_id, created_at)`)

const app = fastify()
const authorization = `Bearer ${process.env.API_KEY}`
const text = { type: 'string', minLength: 1 }
const objectOf = (properties: object, required: string[]) => ({
  body: { type: 'object', properties, required },
})

app.get('/readyz', async () => ({ status: 'ok' }))
app.addHook('onRequest', async (request, reply) => {
  if (request.url !== '/readyz' && request.headers.authorization !== authorization)
    return reply.code(401).send({ error: 'unauthorized' })
})

app.post<{ Body: { external_user_id: string; subject?: string } }>(
  '/v1/conversations',
  { schema: objectOf({ external_user_id: text, subject: text }, ['external_user_id']) },
  async ({ body }, reply) => {
    const { rows } = await database.query({
      name: 'create conversation',
      text: 'insert into conversations (external_user_id, subject) values ($1, $2) returning *',
      values: [body.external_user_id, body.subject],
    })
    return reply.code(201).send(rows[0])
  },
)

app.post<{ Params: { id: string }; Body: { author_side: string; body: string } }>(
  '/v1/conversations/:id/messages',
  { schema: objectOf({ author_side: text, body: text }, ['author_side', 'body']) },
  async ({ params, body }, reply) => {
    const client = await database.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query({
        name: 'create message',
        text: 'insert into messages (conversation_id, author_side, body) values ($1, $2, $3) returning *',
        values: [params.id, body.author_side, body.body],
      })
      await client.query({
        name: 'touch conversation',
        text: 'update conversations set updated_at = now() where id = $1',
        values: [params.id],
      })
      await client.query('commit')
      return reply.code(201).send(rows[0])
    } catch (err) {
      await client.query('rollback')
      throw err
    } finally {
      client.release()
    }
  },
)

app.get<{ Params: { id: string } }>('/v1/conversations/:id', async ({ params }, reply) => {
  const { rows } = await database.query({
    name: 'get conversation',
    text: 'select * from conversations where id = $1',
    values: [params.id],
  })
  return rows[0] ?? reply.code(404).send({ error: 'not_found' })
})

app.get<{ Querystring: { status?: string; limit?: number } }>('/v1/conversations', async ({ query }) => {
  const newestFirst = 'order by created_at desc, id desc limit'
  const limit = query.limit ?? 20
  const { rows } = await database.query(
    query.status
      ? {
          name: 'list by status',
          text: `select * from conversations where status = $1 ${newestFirst} $2`,
          values: [query.status, limit],
        }
      : { name: 'list', text: `select * from conversations ${newestFirst} $1`, values: [limit] },
  )
  return { data: rows }
})

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
