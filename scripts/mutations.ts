/** A fault to plant: in a file, a text that is there once, and what takes its place. */
export type Mutation = { file: string; text: string; fault: string; tests: string[] }

const source = 'packages/server/src'
const tests = {
  alarms: `${source}/support/desk/conversations/sla/alarms.test.ts`,
  attempts: `${source}/platform/http/limits/attempt-limit.test.ts`,
  auth: 'test/contract/authentication.test.ts',
  calendar: `${source}/support/sla/clocks/calendar.test.ts`,
  clock: `${source}/support/admin/test-clock/test-clock.test.ts`,
  clocks: `${source}/support/sla/clocks/clocks.test.ts`,
  console: `${source}/support/access/console-sessions/console-sessions.test.ts`,
  consoleRequests: `${source}/support/access/console-sessions/requests.test.ts`,
  consoleRoles: 'test/contract/console-roles.test.ts',
  credentials: 'test/contract/credentials.test.ts',
  deliv: `${source}/support/integration/webhook-endpoints/deliveries/deliveries.test.ts`,
  escalation: `${source}/support/team/operators/escalation.test.ts`,
  exchange: `${source}/support/people/sessions/exchange.test.ts`,
  feed: `${source}/support/integration/events/feed.test.ts`,
  guards: 'test/guards.test.ts',
  identity: `${source}/support/people/end-users/identity.test.ts`,
  idem: 'test/contract/idempotency-keys.test.ts',
  iso: 'test/contract/isolation.test.ts',
  keys: `${source}/support/admin/api-keys/api-keys.test.ts`,
  lists: 'test/contract/lists.test.ts',
  merging: `${source}/support/people/end-users/merging.test.ts`,
  messages: `${source}/support/desk/messages/messages.test.ts`,
  mis: `${source}/support/integration/webhook-endpoints/sending/misbehaving.test.ts`,
  oidc: `${source}/support/access/console/oidc-routes.test.ts`,
  oidcaway: `${source}/support/access/console/oidc-outages.test.ts`,
  oidcprovider: `${source}/support/access/oidc/provider.test.ts`,
  operators: `${source}/support/team/operators/operators.test.ts`,
  pre: 'test/contract/preconditions.test.ts',
  publishing: `${source}/support/knowledge/kb/articles/publishing.test.ts`,
  rate: 'test/contract/rate-limit.test.ts',
  recovery: `${source}/support/integration/webhook-endpoints/recovery/recovery.test.ts`,
  replays: 'test/contract/replays.test.ts',
  retention: `${source}/platform/jobs/retention.test.ts`,
  rounds: `${source}/support/desk/conversations/routing/rounds.test.ts`,
  routing: `${source}/support/desk/conversations/routing/routing.test.ts`,
  search: `${source}/support/knowledge/kb/search/search.test.ts`,
  sending: `${source}/support/integration/webhook-endpoints/sending/sending.test.ts`,
  sessions: `${source}/support/people/sessions/sessions.test.ts`,
  signIn: `${source}/support/access/console/sign-in.test.ts`,
  slaclocks: `${source}/support/desk/conversations/sla/clocks.test.ts`,
  tags: `${source}/support/catalogue/tags/tags.test.ts`,
  tokens: 'test/end-user-tokens.test.ts',
  uploads: `${source}/platform/http/request/uploads.test.ts`,
  walks: 'test/contract/walks.test.ts',
}
type Test = keyof typeof tests

const faults: [file: string, text: string, fault: string, ...Test[]][] = [
  [
    'platform/tables/table.ts',
    `and id = \${param} and version = \${param} returning 1`,
    `and id = \${param} and version >= \${param} returning 1`,
    'guards',
  ],
  [
    'platform/tables/table.ts',
    `\${table}.version = v.version - 1 returning 1`,
    `\${table}.version <= v.version returning 1`,
    'guards',
  ],
  [
    'platform/tables/table.ts',
    `return sql\`id = \${only.id} and version = \${only.version}\``,
    `return sql\`id = \${only.id} and version >= \${only.version}\``,
    'guards',
  ],
  ['platform/tables/table.ts', '...(visible ? [forTenant(visible, tenantId)] : []),', '', 'deliv'],
  [
    'platform/tables/table.ts',
    `(name_key, id) > (\${name}, \${id})`,
    `(name_key, id) >= (\${name}, \${id})`,
    'walks',
  ],
  [
    'platform/tables/table.ts',
    `sql\`\${table}.tenant_id = \${tenantId}\`,
        ...(visible`,
    `sql\`\${table}.tenant_id is not distinct from coalesce(\${table}.tenant_id, \${tenantId})\`,
        ...(visible`,
    'iso',
  ],
  ['platform/http/routes/answers.ts', 'found.length > limit', 'found.length >= limit', 'lists'],
  [
    'platform/http/routes/answers.ts',
    'const page = { limit: route.endless ? limit : limit + 1,',
    'const page = { limit,',
    'lists',
  ],
  ['platform/http/limits/transfer-places.ts', 'if (own.some(isFull)) return null', '', 'uploads'],
  ['platform/http/limits/transfer-places.ts', 'mine.length + 1) {', 'mine.length) {', 'uploads'],
  [
    'platform/http/limits/transfer-places.ts',
    'other.pace() < one.pace()',
    'other.pace() > one.pace()',
    'uploads',
  ],
  ['platform/http/routes/answers.ts', `total > maxTotal}\``, `total >= maxTotal}\``, 'tags'],
  [
    'platform/http/routes/answers.ts',
    'ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag)',
    'ifNoneMatch === etag',
    'pre',
  ],
  [
    'platform/http/request/pagination.ts',
    'timingSafeEqual(iv, ivOf(data)) ? data : null',
    'iv.length === ivLength ? data : null',
    'lists',
  ],
  [
    'platform/http/request/pagination.ts',
    'JSON.stringify([tenantId, path, sorted, sort, ',
    'JSON.stringify([path, sorted, sort, ',
    'lists',
  ],
  [
    'platform/http/request/pagination.ts',
    'JSON.stringify([tenantId, path, sorted, sort, ',
    'JSON.stringify([tenantId, path, sort, ',
    'lists',
  ],
  [
    'support/access/access.ts',
    'record.expiresAt && record.expiresAt <= toInstant(nowMs)',
    'record.expiresAt && record.expiresAt > toInstant(nowMs)',
    'auth',
  ],
  ['support/access/access.ts', "    if (record.revokedAt) throw refuse('revoked')\n", '', 'auth'],
  ['support/access/access.ts', 'record.revokedAt || record.erasedAt', 'record.erasedAt', 'sessions'],
  ['support/access/access.ts', 'record.revokedAt || record.erasedAt', 'record.revokedAt', 'tokens'],
  [
    'support/access/access.ts',
    'if (record.expiresAt <= toInstant',
    'if (record.expiresAt === toInstant',
    'sessions',
  ],
  ['support/access/credential-cache.ts', 'const cacheMs = 500', 'const cacheMs = 5_000', 'keys', 'sessions'],
  ['platform/http/routes/admission.ts', 'presented.credential !== credential', 'false', 'credentials'],
  [
    'platform/http/routes/admission.ts',
    'key?.allowedOrigins.includes(origin.toLowerCase())',
    'key?.allowedOrigins.some((each) => origin.toLowerCase().startsWith(each))',
    'credentials',
  ],
  ['platform/http/routes/request-context.ts', 'session ? session.ownerId :', 'session ? null :', 'tokens'],
  ['platform/http/routes/answers.ts', 'endUser ? {', 'endUser?.conversationId ? {', 'tokens'],
  ['platform/http/limits/attempt-limit.ts', 'times.length >= most', 'times.length > most', 'attempts'],
  ['support/people/sessions/routes.ts', 'sealWith: () => null,', '', 'sessions'],
  ['support/people/sessions/routes.ts', 'sealWith: ({ jwt }) => jwt,', '', 'exchange'],
  ['support/people/sessions/actions.ts', ' || visitor.external_id !== null', '', 'exchange'],
  ['support/people/identity-keys/jwt.ts', 'now - leewaySeconds', 'now', 'exchange'],
  [
    'support/people/identity-keys/jwt.ts',
    '    if (!namesOf[each.algorithm].includes(alg)) continue\n',
    '',
    'exchange',
  ],
  ['support/people/identity-keys/claims.ts', 'claims.email_verified === true', 'true', 'exchange'],
  [
    'support/vocabulary/credentials.ts',
    ' && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)',
    '',
    'auth',
  ],
  [
    'support/admin/api-keys/queries.ts',
    `where api_key_id = \${keyId} and expires_at is null`,
    `where api_key_id = \${keyId}`,
    'keys',
  ],
  [
    'platform/http/routes/admission.ts',
    `route.testOnly && kind === 'live'`,
    `route.testOnly && presented.token === ''`,
    'clock',
  ],
  [
    'platform/http/routes/admission.ts',
    `route.method === 'POST' && request.idempotencyKey === null`,
    `route.method === 'POST' && request.idempotencyKey === ''`,
    'idem',
  ],
  [
    'platform/http/routes/mount.ts',
    `    checkQuery(query)
    const named = request.headers['backline-operator'] as string | undefined
    const operatorFaults =
      named === undefined ? [] : await faultsOfOperator(route, request.presented!, named, deps)
    const faults = [...faultsOfBody(body), ...operatorFaults]
    const operatorId = operatorFaults.length === 0 ? (named ?? null) : null
    const contextFor = (body: unknown) => contextOf(route, request, body, operatorId, deps)
    const input = { params, query, body }
    if (faults.length > 0) {
      const further = await handlerFaults(route, contextFor, input, faults, faultsOfBody)
      throw invalidBody(...[...faults, ...further].slice(0, maxErrors))
    }
`,
    `    const named = request.headers['backline-operator'] as string | undefined
    const operatorFaults =
      named === undefined ? [] : await faultsOfOperator(route, request.presented!, named, deps)
    const faults = [...faultsOfBody(body), ...operatorFaults]
    const operatorId = operatorFaults.length === 0 ? (named ?? null) : null
    const contextFor = (body: unknown) => contextOf(route, request, body, operatorId, deps)
    const input = { params, query, body }
    if (faults.length > 0) {
      const further = await handlerFaults(route, contextFor, input, faults, faultsOfBody)
      throw invalidBody(...[...faults, ...further].slice(0, maxErrors))
    }
    checkQuery(query)
`,
    'auth',
  ],
  [
    'platform/http/routes/mount.ts',
    'reply.elapsedTime > admissionMs',
    'reply.elapsedTime > 1_000 * admissionMs',
    'keys',
  ],
  ['platform/http/routes/mount.ts', 'return operator.archived ?', 'return tenantId === id ?', 'operators'],
  ['platform/http/request/idempotency.ts', `\`\${method} \${url}\\n`, `\`\${url}\\n`, 'replays'],
  [
    'platform/http/request/idempotency.ts',
    `'' : canonicalJson(body)`,
    `'' : JSON.stringify(body)`,
    'replays',
  ],
  [
    'platform/jobs/retention.ts',
    `{ part: keepBodies as Part<unknown>, item: forgotten, mode: 'plain' as const },`,
    '',
    'retention',
  ],
  ['platform/http/limits/rate-limit.ts', 'if (tokens < 1) throw', 'if (tokens < 0) throw', 'rate'],
  [
    'platform/postgres/leases.ts',
    `where leases.holder = \${holder} or leases.leased_until <= \${now}
`,
    '',
    'guards',
  ],
  [
    'platform/postgres/leases.ts',
    `leases.leased_until <= \${now}`,
    `leases.leased_until < \${now}`,
    'guards',
  ],
  ['platform/kernel/etag.ts', `tag.replace(/^W\\//, '') === etag`, 'tag === etag', 'pre'],
  [
    'platform/kernel/etag.ts',
    `tag === '*' || tag === etagOf(version)`,
    `tag.replace(/^W\\//, '') === etagOf(version)`,
    'pre',
  ],
  [
    'platform/jobs/retention.ts',
    'events.at(young < 0 ? -1 : young - 1)',
    'events.at(young < 0 ? -1 : young)',
    'retention',
  ],
  [
    'platform/unit-of-work/events.ts',
    `update journal_heads
    set position = greatest(position, (extract(epoch from now()) * 1000000)::bigint) + \${places}::bigint
    where tenant_id = \${tenantId} returning tenant_id, position`,
    `select tenant_id, (extract(epoch from clock_timestamp()) * 1000000)::bigint + \${places}::bigint as position
    from journal_heads where tenant_id = \${tenantId}`,
    'feed',
  ],
  [
    'platform/journal/positions.ts',
    '(floor.epoch, floor.position, floor.ordinal) >= (events',
    '(floor.epoch, floor.position, floor.ordinal) > (events',
    'retention',
  ],
  [
    'platform/journal/positions.ts',
    `and follower = \${consumer} and (epoch, position, ordinal) = \${rowOf(from)} returning 1`,
    `and follower = \${consumer} returning 1`,
    'guards',
  ],
  [
    'platform/journal/retention.ts',
    `where tenant_id = \${tenantId}\${after(from)}\${upTo(to)}\``,
    `where tenant_id = \${tenantId}\${after(from)}\``,
    'retention',
  ],
  ['platform/votes/votes.ts', `and helpful <> \${vote!.helpful} returning 1`, 'returning 1', 'publishing'],
  [
    'support/integration/webhook-endpoints/sending/queries.ts',
    `and next_attempt_at <= \${now} and`,
    'and',
    'mis',
  ],
  [
    'support/integration/webhook-endpoints/sending/queries.ts',
    `const asItWas = sql\`(webhook_deliveries.status = 'pending' and webhook_deliveries.tries = v.was_tries
  and webhook_deliveries.next_attempt_at = v.was_due)\``,
    `const asItWas = sql\`(webhook_deliveries.status = 'pending' and v.was_tries <= v.was_tries
  and v.was_due = v.was_due)\``,
    'guards',
  ],
  [
    'support/integration/webhook-endpoints/sending/queries.ts',
    `< \${maxKeptAttempts}::integer`,
    `<= \${maxKeptAttempts}::integer`,
    'guards',
  ],
  [
    'support/integration/webhook-endpoints/sending/queries.ts',
    'then v.since else coalesce(failing_since, v.since) end',
    'then v.since else v.since end',
    'mis',
  ],
  [
    'support/integration/webhook-endpoints/sending/attempt.ts',
    'status >= 200 && status < 300',
    'status >= 200 && status < 400',
    'sending',
  ],
  [
    'support/integration/webhook-endpoints/sending/attempt.ts',
    'retrySeconds[delivery.tries]',
    'retrySeconds[delivery.tries + 1]',
    'mis',
  ],
  [
    'support/integration/webhook-endpoints/sending/attempt.ts',
    'Math.min(Math.max(seconds, 0), longestRetryAfterSeconds)',
    'Math.max(seconds, 0)',
    'mis',
  ],
  [
    'support/integration/webhook-endpoints/recovery/queries.ts',
    `    where webhook_deliveries.status = 'failed'\``,
    `    where webhook_deliveries.status <> 'pending'\``,
    'guards',
  ],
  [
    'support/integration/webhook-endpoints/recovery/queries.ts',
    `given.id >= \${madeSince} and given.status <> 'failed') missed`,
    `given.id >= \${madeSince}) missed`,
    'recovery',
  ],
  [
    'support/sla/clocks/clocks.ts',
    'goal !== null && used >= goal ? calendar',
    'goal !== null && used > goal ? calendar',
    'clocks',
    'slaclocks',
  ],
  [
    'support/sla/clocks/clocks.ts',
    'since !== clocks.cycle_since || was?.unanswered_since === null',
    'since !== clocks.cycle_since',
    'clocks',
    'slaclocks',
  ],
  [
    'support/sla/clocks/clocks.ts',
    `now.status === 'pending' && now.agreement.pausesOnPending`,
    'now.agreement.pausesOnPending',
    'clocks',
  ],
  [
    'support/sla/clocks/clocks.ts',
    'warned >= (is?.breached_at',
    'warned > (is?.breached_at',
    'clocks',
    'alarms',
  ],
  [
    'support/sla/clocks/calendar.ts',
    '({ after }) => after >= before + ms',
    '({ after }) => after > before + ms',
    'calendar',
  ],
  [
    'support/desk/conversations/routing/queries.ts',
    'operator_loads.open + excluded.open <= excluded.most',
    'operator_loads.open <= excluded.most',
    'guards',
  ],
  [
    'support/desk/conversations/routing/queries.ts',
    'open_conversations + v.count <= capacity',
    'open_conversations <= capacity',
    'guards',
  ],
  [
    'support/desk/conversations/routing/queries.ts',
    `and department_members.turn = v.turn
      and (v.last is null or v.last =`,
    'and (true or v.last =',
    'guards',
    'rounds',
  ],
  [
    'support/desk/conversations/routing/queries.ts',
    `\${load}, m.turn, m.operator_id`,
    'm.turn, m.operator_id',
    'routing',
  ],
  [
    'support/desk/conversations/routing/queries.ts',
    `\${waits} order by id limit 1) as oldest_waiting`,
    `\${waits} order by id desc limit 1) as oldest_waiting`,
    'guards',
  ],
  [
    'support/knowledge/kb/search/queries.ts',
    `where kb_articles.status = 'published' order by`,
    'order by',
    'search',
  ],
  [
    'support/desk/messages/redacting.ts',
    `  change.effects.write(deleteRevisions(change.tenantId, message.id))
`,
    '',
    'messages',
  ],
  [
    'support/desk/messages/redacting.ts',
    `  change.effects.write(eraseDeliveries(change.tenantId, eventIds, change.now))
`,
    '',
    'sending',
  ],
  [
    'support/desk/messages/redacting.ts',
    '({ key, body: emptiedOf(id, body) })',
    '({ key, body })',
    'messages',
  ],
  [
    'support/people/end-users/merge.ts',
    `  change.effects.write(passOnAliases(change.tenantId, source.id, target.id))
`,
    '',
    'merging',
  ],
  [
    'support/people/end-users/merge.ts',
    "const end_user = change.rows.bumpVersion(endUsers, updated, 'end_user.updated')",
    'const end_user = updated',
    'merging',
  ],
  ['support/people/end-users/merge.ts', 'if (bothNamed && !keepsAlias)', 'if (bothNamed)', 'merging'],
  [
    'support/people/end-users/identity.ts',
    'source.verified_at !== null && target.verified_at === null',
    'false',
    'identity',
  ],
  [
    'support/people/end-users/identity.ts',
    "if (claim === 'adopt') return standing === 'unverified' ? 'yes' : 'no'",
    "if (claim === 'adopt') return 'yes'",
    'identity',
  ],
  ['support/people/end-users/identity.ts', "(claim === 'speak' || ", '(', 'identity'],
  ['support/desk/messages/actions.ts', '(unanswered ?? now)', 'now', 'slaclocks'],
  [
    'support/desk/messages/actions.ts',
    `message.visibility === 'public' && conversation.status === 'closed'`,
    `conversation.status === 'closed'`,
    'messages',
  ],
  [
    'support/access/oidc/provider.ts',
    'client.enableNonRepudiationChecks(configuration)',
    'void client.enableNonRepudiationChecks',
    'oidc',
  ],
  ['support/access/oidc/provider.ts', 'expectedNonce: nonce,', 'expectedNonce: undefined,', 'oidc'],
  ['support/access/oidc/provider.ts', 'pkceCodeVerifier: verifier,', '', 'oidc'],
  [
    'support/access/oidc/provider.ts',
    'new URL(server.issuer).href !== new URL(issuer).href',
    'new URL(server.issuer).origin !== new URL(issuer).origin',
    'oidcprovider',
  ],
  ['support/access/oidc/provider.ts', '/^https:$/', '/^https?:$/', 'oidcprovider'],
  ['support/access/oidc/provider.ts', 'if (email === undefined &&', 'if (!email &&', 'oidc'],
  ['support/access/oidc/provider.ts', "if (failure.fault === 'unavailable') renew(found)", '', 'oidcaway'],
  [
    'support/access/oidc/provider.ts',
    'configuration.catch(() => renew(found))',
    'configuration.catch(() => 0)',
    'oidcaway',
  ],
  ['support/access/oidc/provider.ts', 'known.from + pauseMs', 'known.from', 'oidcaway'],
  ['support/access/oidc/claims.ts', "verified === 'true'", "typeof verified === 'string'", 'oidc'],
  ['support/access/oidc/transaction.ts', "if (used.has(state)) return 'expired'", '', 'oidc'],
  ['support/access/oidc/transaction.ts', "if (state !== proof.state) return 'state'", '', 'oidc'],
  [
    'support/access/oidc/transaction.ts',
    'age > transactionSeconds * 1000',
    'age > transactionSeconds * 10_000',
    'oidc',
  ],
  ['support/access/console/oidc-routes.ts', "fault === 'state' ? []", "fault === 'expired' ? []", 'oidc'],
  ['support/access/console/sessions.ts', '    requireOwnOrigin(claim, publicUrl)\n', '', 'consoleRequests'],
  [
    'support/access/console/sessions.ts',
    "revokedAt !== null || isArchived) return 'revoked'",
    "isArchived) return 'revoked'",
    'console',
  ],
  ['support/access/console/sessions.ts', 'nowMs - usedAt >= idleMs', 'false', 'console'],
  ['support/access/console/sessions.ts', 'expiresAt <= toInstant(nowMs) ||', '', 'console'],
  ['support/access/console/requests.ts', 'found.length === 1', 'found.length > 0', 'consoleRequests'],
  [
    'support/access/console/requests.ts',
    "(site === undefined || site === 'same-origin')",
    'true',
    'consoleRequests',
  ],
  ['platform/http/routes/mount.ts', 'console && uuid !== console.operator.id', 'false', 'consoleRequests'],
  [
    'platform/http/routes/admission.ts',
    "uuidOf('op', given[ownOperator]!) === console.operator.id",
    'true',
    'consoleRoles',
  ],
  [
    'support/vocabulary/scopes.generated.ts',
    "operators: { agent: 'read'",
    "operators: { agent: 'write'",
    'consoleRoles',
  ],
  [
    'support/admin/api-keys/issuer.ts',
    'refuseMissing(scopes, (scope) => roleAllows(',
    'void ((scope: string) => roleAllows(',
    'escalation',
  ],
  ['support/team/operators/actions.ts', ' || before.email !== after.email', '', 'escalation'],
  ['support/team/operators/actions.ts', '!(before.archived && !after.archived)', 'true', 'escalation'],
  ['support/access/console-sessions/links/queries.ts', 'used_at is null and ', '', 'signIn'],
  ['support/access/console-sessions/actions.ts', 'after.archived && !before.archived', 'false', 'console'],
]

export const mutations: Mutation[] = faults.map(([file, text, fault, ...names]) => ({
  file: `${source}/${file}`,
  text,
  fault,
  tests: names.map((name) => tests[name]),
}))
