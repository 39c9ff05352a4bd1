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
    return `<section id="${code}"><h2><a href="${root}problems/${code}">${code}</a> <small>${status}</small></h2>
<p><strong>${title}.</strong> ${prose}</p>${codes.length === 1 ? `<h3>Example</h3><pre><code>${example}</code></pre>` : ''}</section>`
  })
  return htmlPage(codes.length === 1 ? codes[0]! : 'Error codes', root, entries.join('\n'))
}
