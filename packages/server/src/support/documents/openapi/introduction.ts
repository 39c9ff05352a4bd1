import { bodyLimitBytes } from '../../../platform/http/request/body.ts'
import { defaultLimit, maxLimit, maxTotal } from '../../../platform/http/request/pagination.ts'

/** The rules for all operations, as Markdown. Headings become sections of the reference page. */
export const introduction = `Backline is a customer-support backend. Its API is JSON over HTTP. The [guides](/guides) show it in use.

# Authentication
Send \`Authorization: Bearer <API key>\`. A key belongs to one environment of a workspace, \`live\` or \`test\`; the
environments share no data. A key has scopes, and each operation states the scope it requires. Set \`Backline-Operator\`
to the operator on whose behalf the client acts.

Web pages and apps never hold such a key. They start a session of an end user with a publishable key, and use the
session's end-user token for the operations that take one. These operations answer any origin (CORS).

# Idempotency
Every POST requires an \`Idempotency-Key\`, such as a new UUID. Send the same key with every retry of the operation. A key
is used up only if the operation is committed. A retry then returns the first response, byte for byte, with
\`Idempotent-Replayed: true\`. After an error, the same key can be sent again, also with a corrected request. PATCH, PUT
and DELETE accept an optional key.

# Errors
Every error is \`application/problem+json\` (RFC 9457). Programs should branch on \`code\`, which is stable; \`params\` and
\`errors\` hold the details. [\`/problems\`](/problems) explains each code.

# Pagination
\`limit\` is 1 to ${maxLimit} (default ${defaultLimit}). While \`has_more\` is true, send \`next_cursor\` as \`cursor\` with the same filters; it
is null on the last page. Feeds have a \`resume_cursor\` on every page, with which to ask for newer items later. An
object that exists throughout the pagination is returned exactly once. \`include=total\` adds the total count, up to ${maxTotal}.

# Updates
PATCH is JSON Merge Patch (RFC 7396): omitted fields keep their value, \`null\` clears a field, and \`metadata\` is merged
key by key. Every object has a \`version\`, which is also its \`ETag\`. \`If-Match\` prevents overwriting a concurrent change;
\`If-None-Match\` avoids reading an unchanged object again. With \`include\`, the \`ETag\` is of all that is shown; \`If-Match\`
takes it too, and compares the version alone.

# Limits
A request body can have up to ${bodyLimitBytes / 1024 ** 2} MiB. Each key has a request quota, reported in \`RateLimit-Policy\` and \`RateLimit\`.
Requests over the quota get 429 with \`Retry-After\`.

# Versioning
New fields, error codes, event types and optional parameters can be added at any time. Any other change would be released
as \`/v2\`. \`/v1\` would then be available for at least another 12 months, and \`Sunset\` (RFC 8594) announces its end 6 months
ahead.
`
