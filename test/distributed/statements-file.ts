import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isIn, type Template } from './templates.ts'

export const statementsFile = join(import.meta.dirname, '../../packages/server/statements.sql')

/** Shorter fragments, such as `, ` and ` and `, are also in statements that they were not written for. */
const minLetters = 10

const header = `-- Statements that the server sends, so that reviews show what becomes of SQL that is put together.
-- Written by \`npm run gen:statements\`. For each \`sql\` template of the source, it has the shortest statement with it,
-- under the place of the statement's longest template.`

type Statement = { text: string; longest: Template }

/**
 * The content of `statements.sql`. Statements of the present file stay while they are sent and needed, so that a new
 * statement changes no others.
 */
export function describeStatements(templates: Template[], sent: string[]): string {
  const all = [...new Set(sent)].map((text) => ({ text, longest: longestIn(templates, text) }))
  const present = new Set(presentStatements())
  const chosen = new Set<Statement>()
  for (const template of templates) {
    if (lengthOf(template) < minLetters) continue
    const having = all.filter(({ text }) => isIn(template, text))
    const best =
      bestFor(
        template,
        having.filter(({ text }) => present.has(text)),
      ) ?? bestFor(template, having)
    if (best) chosen.add(best)
  }
  const entries = [...chosen].map(({ text, longest: { place, declaration } }) => {
    return `-- ${place.replace(/:\d+$/, '')}: ${declaration}\n${text};`
  })
  return `${[header, ...entries.toSorted()].join('\n\n')}\n`
}

function presentStatements(): string[] {
  const text = readFileSync(statementsFile, 'utf8')
  return [...text.matchAll(/(?:^--.*\n)+([\s\S]*?);\n(?=\n--|$)/gm)].map(([, statement]) => statement!)
}

/** The longest template that a statement has. */
const longestIn = (templates: Template[], text: string): Template =>
  templates
    .filter((template) => isIn(template, text))
    .reduce((best, each) => (lengthOf(each) > lengthOf(best) ? each : best))

const lengthOf = ({ texts }: Template): number => texts.join('').replace(/\W/g, '').length

/** The shortest of the statements whose longest template is in the same folder, or as near to it as possible. */
const bestFor = (template: Template, statements: Statement[]): Statement | undefined =>
  statements.toSorted(
    (one, other) =>
      distance(template, one.longest) - distance(template, other.longest) ||
      one.text.length - other.text.length ||
      (one.text < other.text ? -1 : 1),
  )[0]

/** The number of folders up and down from one template to another. */
function distance(from: Template, to: Template): number {
  const path = relative(dirname(from.place), dirname(to.place))
  return path === '' ? 0 : path.split('/').length
}
