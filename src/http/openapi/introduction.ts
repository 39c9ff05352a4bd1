import { bodyLimitBytes } from '../body.ts'
import { defaultLimit, maxLimit, maxTotal } from '../pagination.ts'

/** What holds for every operation, as Markdown; the reference page makes sections of the headings. */
export const introduction = `JSON over HTTP for product teams that run their own customer support.

# Keys and environments
Send \`Authorization: Bearer <API key>\`. A key belongs to one environment of a workspace, \`live\` or \`test\`, whose data
never meet, and has scopes; each operation names the one it needs. \`Backline-Operator\` says for which operator the
client acts.

# Retries
Every POST needs an \`Idempotency-Key\`: a fresh UUID for each operation, the same one for its retries. It is used up if
and only if the operation was committed; the retry is then answered with the first response, byte for byte, and
\`Idempotent-Replayed: true\`. After an error the same key may be sent again, with a corrected request too. PATCH, PUT
and DELETE honour a key when there is one.

# Errors
Every error is \`application/problem+json\` (RFC 9457). \`code\` is stable and what a program should look at; \`params\`
and \`errors\` hold what varies; [\`/problems\`](/problems) explains each code.

# Lists
\`limit\` is 1 to ${maxLimit} (${defaultLimit} unless given). While \`has_more\` is true, send \`next_cursor\` as \`cursor\` with the same
filters; an object that exists during the whole walk is seen exactly once. \`include=total\` counts, up to ${maxTotal}.

# Changes
PATCH is JSON Merge Patch (RFC 7396): what is left out stays, \`null\` clears, \`metadata\` merges key by key. Every object
has a \`version\` and an \`ETag\` made of it; \`If-Match\` refuses to overwrite what has changed meanwhile, and
\`If-None-Match\` spares reading what has not.

# Limits
A request body has at most ${bodyLimitBytes / 1024 ** 2} MiB. Each key has an allowance of requests, which \`RateLimit-Policy\` and \`RateLimit\`
tell; beyond it the answer is 429 with \`Retry-After\`.

# Versions
New fields, values of \`code\`, event types and optional parameters may be added at any time. Anything else would be \`/v2\`, beside which \`/v1\`
stays for at least 12 months; \`Sunset\` (RFC 8594) announces its end 6 months ahead.
`
