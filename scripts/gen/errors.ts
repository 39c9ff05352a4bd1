import { type ErrorCode, errorCatalogue, fieldErrorCodes } from '@backline/server/platform/kernel/errors.ts'
import { exampleOf } from '@backline/server/support/documents/problem-examples.ts'

/** All error codes of the API as a Markdown page. */
export function errorsPage(): string {
  const rows = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const [status, title, meaning] = errorCatalogue[code]
    const params = Object.keys(exampleOf(code).params).map((name) => `\`${name}\``)
    return `| \`${code}\` | ${status} | **${title}.** ${cell(meaning)} | ${params.join(', ')} |`
  })
  return `# Errors

<!-- Written by \`npm run gen\` from packages/server/src/platform/kernel/errors.ts and packages/server/src/support/documents/problem-examples.ts. -->

Every error is \`application/problem+json\` (RFC 9457) with the same members: \`type\`, \`title\`, \`status\`, \`code\`,
\`detail\`, \`instance\`, \`request_id\`, \`params\`, \`errors\`. The \`code\` is stable: branch on it, not on the texts. A running
server explains each code at \`GET /problems/{code}\`.

| code | status | meaning | \`params\` |
|---|---|---|---|
${rows.join('\n')}

## Invalid fields

\`errors\` lists all invalid fields of a request, each with its \`pointer\` (JSON Pointer into the body), \`parameter\` (query)
or \`header\`. The \`code\` of a field is one of ${fieldErrorCodes.map((code) => `\`${code}\``).join(', ')}.
`
}

const cell = (text: string) => text.replaceAll('|', '\\|')
