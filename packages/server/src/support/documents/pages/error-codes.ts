import { type ErrorCode, errorCatalogue } from '../../../platform/kernel/errors.ts'
import { exampleOf, problemExample } from '../problem-examples.ts'
import { htmlPage } from './layout.ts'

/** The HTML response. All text is ours, so nothing needs escaping. @param root the path of `/`, relative to the page */
export function errorCodesPage(codes: ErrorCode[], root: string, publicUrl: string): string {
  const entries = codes.map((code) => {
    const [status, title, meaning] = errorCatalogue[code]
    const prose = meaning.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/<API key>/g, '&lt;API key&gt;')
    const example = JSON.stringify(problemExample(exampleOf(code), publicUrl), null, 2).replaceAll(
      '<',
      '&lt;',
    )
    const level = codes.length === 1 ? 'h1' : 'h2'
    return `<section id="${code}"><${level}><a href="${root}problems/${code}">${code}</a> <small>${status}</small></${level}>
<p><strong>${title}.</strong> ${prose}</p>${codes.length === 1 ? `<h2>Example</h2><pre><code>${example}</code></pre>` : ''}</section>`
  })
  if (codes.length === 1) return htmlPage(codes[0]!, root, entries.join('\n'))
  return htmlPage('Error codes', root, ['<h1>Error codes</h1>', ...entries].join('\n'))
}
