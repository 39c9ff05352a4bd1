import { readDeclarations } from '@backline/server/compose/declarations.ts'
import { familiesOf } from '@backline/server/compose/scopes.ts'

/*
 * Prints `scopes.generated.ts`, in a process of its own: the resources import that file, and the generators that run
 * later need the new one.
 */
const lines = familiesOf(await readDeclarations()).map(([family, { agent, lead }]) => {
  if (!agent || !lead) throw new Error(`\`scopes\` of ${family} needs \`agent\` and \`lead\` in \`roles\``)
  return `  ${family}: { agent: '${agent}', lead: '${lead}' },\n`
})
process.stdout.write(`/* Written by \`npm run gen\` from \`scopes\` of the resources. */

type Access = 'none' | 'read' | 'write'

/** The families of scopes in the order in which the API lists them: new ones come last. The role \`admin\` has all. */
export const families = {
${lines.join('')}} as const satisfies Record<string, { agent: Access; lead: Access }>
`)
