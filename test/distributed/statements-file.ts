import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isIn, type Template } from './templates.ts'

export const statementsFile = join(import.meta.dirname, '../../packages/server/statements.sql')

/** Shorter fragments, such as `, ` and ` and `, are also in statements that they were not written for. */
const minLetters = 10
const isLong = (template: Template) => lengthOf(template) >= minLetters

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
  const isPresent = ({ text }: Statement) => present.has(text)
  // The second time leaves out what a new statement makes superfluous.
  const entries = needed(templates, needed(templates, all, isPresent)).map(
    ({ text, longest: { place, declaration } }) =>
      `-- ${place.replace(/:\d+$/, '')}: ${declaration}\n${text};`,
  )
  return `${[header, ...entries.toSorted()].join('\n\n')}\n`
}

/** A statement for each template; one that is preferred, if there is any. */
function needed(
  templates: Template[],
  statements: Statement[],
  isPreferred: (statement: Statement) => boolean = () => true,
): Statement[] {
  const chosen = templates.filter(isLong).flatMap((template) => {
    const having = statements.filter(({ text }) => isIn(template, text))
    return bestFor(template, having.filter(isPreferred)) ?? bestFor(template, having) ?? []
  })
  return [...new Set(chosen)]
}

/** The templates that no statement of the file has, and the entries that are not as they would be written. */
export function staleParts(templates: Template[]): { missing: Template[]; stale: string[] } {
  const statements = presentStatements()
  const written = new Set(entriesOf(describeStatements(templates, statements)))
  return {
    missing: templates.filter((each) => isLong(each) && !statements.some((text) => isIn(each, text))),
    stale: entriesOf(readFileSync(statementsFile, 'utf8')).filter((entry) => !written.has(entry)),
  }
}

/** The header, then each statement with its heading. */
const entriesOf = (file: string): string[] => file.trimEnd().split(/\n\n(?=-- )/)

const presentStatements = (): string[] =>
  entriesOf(readFileSync(statementsFile, 'utf8'))
    .slice(1)
    .filter((entry) => entry.includes('\n'))
    .map((entry) => entry.slice(entry.indexOf('\n') + 1, -1))

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
