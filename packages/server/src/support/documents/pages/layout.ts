import { hash } from 'node:crypto'

const style = `:root{--text:#1d2530;--quiet:#68727f;--line:#dfe3e8;--soft:#f4f6f8;--accent:#2456c7;--good:#1a7f4b;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e4e8ee;--quiet:#97a2b0;--line:#313842;--soft:#1d232b;--accent:#8db2ff;--good:#5bd394;--bad:#ff8a80}body{background:#14181d}}
body{font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere;max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;color:var(--text)}
nav{display:flex;gap:.5rem 1.25rem;flex-wrap:wrap;align-items:baseline;border-bottom:1px solid var(--line);padding-bottom:.75rem;margin-bottom:1.5rem}
nav a{color:var(--quiet);text-decoration:none}nav a:first-child{color:var(--text);font-weight:650;margin-right:auto}
a{color:var(--accent)}h1{font-size:1.7rem;line-height:1.2;margin:1.5rem 0 .75rem}h2{font-size:1.2rem;margin:2.2rem 0 .5rem}h3{font-size:1rem;margin:1.6rem 0 .4rem}
small,.quiet{color:var(--quiet);font-weight:400}code{background:var(--soft);padding:.1em .3em;border-radius:4px;font-size:.9em}
pre{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;overflow-x:auto;line-height:1.45}pre code{background:none;padding:0}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border-bottom:1px solid var(--line);padding:.4rem .9rem .4rem 0;text-align:left;vertical-align:top}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.75rem;margin:1.5rem 0;padding:0;list-style:none}
.cards a{display:block;overflow-wrap:anywhere;height:100%;box-sizing:border-box;border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;text-decoration:none;color:var(--text)}
.cards a:hover{border-color:var(--accent)}.cards strong{display:block}.cards span{color:var(--quiet);font-size:.9rem}
.good{color:var(--good)}.bad{color:var(--bad)}`

/** The pages have their own style and nothing else: no scripts, no images of other servers, no frames. */
export const pagePolicy = `default-src 'none'; img-src data:; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Elements that scroll sideways where they are too wide, also by the keys. */
const scrolling = /<(pre|table)>/g

/** @param root the path of `/`, relative to the page, so that pages also work below a path of a reverse proxy */
export const htmlPage = (title: string, root: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Backline</title><link rel="icon" href="data:,">
<style>${style}</style></head>
<body><header><nav aria-label="Backline"><a href="${root}">Backline</a><a href="${root}docs">API reference</a><a href="${root}guides">Guides</a><a href="${root}problems">Error codes</a></nav></header>
<main>
${body.replace(scrolling, '<$1 tabindex="0">')}
</main>
</body></html>
`
