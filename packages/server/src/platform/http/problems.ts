import { hash } from 'node:crypto'
import { type ApiError, type ErrorCode, errorCatalogue, type FieldError } from '../kernel/errors.ts'

export const problemMediaType = 'application/problem+json'

export type Problem = {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail: string
  instance: string
  request_id: string
  params: Record<string, unknown>
  errors: FieldError[]
}

/** The body of every error (RFC 9457). */
export function problem(error: ApiError, publicUrl: string, instance: string, requestId: string): Problem {
  return {
    type: `${publicUrl}/problems/${error.code}`,
    title: errorCatalogue[error.code][1],
    status: error.status,
    code: error.code,
    detail: error.message,
    instance,
    request_id: requestId,
    params: error.params,
    errors: error.details.errors ?? [],
  }
}

/** The JSON response of `GET /problems/{code}`. */
export const describeCode = (code: ErrorCode, publicUrl: string) => {
  const [status, title, meaning] = errorCatalogue[code]
  return { type: `${publicUrl}/problems/${code}`, code, status, title, detail: meaning }
}

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorCatalogue, text)

const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1d2530}
h2{font-size:1.1rem;margin:2rem 0 .25rem}small{color:#68727f;font-weight:400}a{color:inherit}
code{background:#f0f2f5;padding:.1em .3em;border-radius:4px}
@media(prefers-color-scheme:dark){body{background:#14181d;color:#e4e8ee}code{background:#232a33}}`

/** The page has its own style and nothing else: no scripts, no requests, no frames. */
export const problemPagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The HTML response. All text is ours, so nothing needs escaping. */
export function problemPage(codes: ErrorCode[]): string {
  const entries = codes.map((code) => {
    const [status, title, meaning] = errorCatalogue[code]
    const prose = meaning.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/<API key>/g, '&lt;API key&gt;')
    return `<section id="${code}"><h2><a href="/problems/${code}">${code}</a> <small>${status}</small></h2><p><strong>${title}.</strong> ${prose}</p></section>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${codes.length === 1 ? codes[0] : 'Error codes'} · Backline</title>
<style>${pageStyle}</style></head>
<body><p><a href="/problems">All error codes</a> · <a href="/docs">API reference</a></p>
${entries.join('\n')}
</body></html>
`
}
