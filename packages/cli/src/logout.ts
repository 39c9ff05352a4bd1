import { invocation } from '@backline/server/compose/invocation.ts'
import { readProfiles, writeProfiles } from './access/profiles.ts'
import { readSettings } from './access/settings.ts'
import { defineCommand } from './command.ts'
import { CommandError } from './errors.ts'

export const command = defineCommand({
  description: 'The key itself stays valid on the server; revoke it there if it is not needed any more.',
  options: {
    profile: { value: 'NAME', summary: 'The profile to remove (default: the current one)' },
    all: { value: '', summary: 'Remove all profiles', flag: true },
  },
  async run({ options, environment }) {
    const { file } = readSettings(environment)
    const { current, profiles } = await readProfiles(file)
    const name = options.profile ?? current
    const names = options.all ? Object.keys(profiles) : Object.keys(profiles).filter((each) => each === name)
    if (names.length === 0 && options.profile !== undefined)
      throw new CommandError('not_found', `profile ${JSON.stringify(options.profile)} does not exist`)
    if (names.length === 0) throw new CommandError('not_found', 'there is no current profile to remove')
    const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => !names.includes(each)))
    const next = current !== null && names.includes(current) ? null : current
    await writeProfiles(file, { current: next, profiles: left })
    const others = Object.keys(left)
    const hint =
      next === null && others.length > 0
        ? `\nNo profile is current now; run: ${invocation} profiles use ${others[0]}`
        : ''
    return {
      json: { object: 'logout', removed: names, current: next },
      text: `Removed ${names.join(', ')}. The keys stay valid until they are revoked.${hint}`,
    }
  },
})
