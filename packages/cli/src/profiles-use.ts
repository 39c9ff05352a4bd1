import { nearest } from '@backline/server/platform/kernel/spelling.ts'
import { readProfiles, writeProfiles } from './access/profiles.ts'
import { readSettings } from './access/settings.ts'
import { defineCommand } from './command.ts'
import { CommandError } from './errors.ts'

export const command = defineCommand({
  argument: 'NAME',
  options: {},
  async run({ argument: name, environment }) {
    const { file } = readSettings(environment)
    const { profiles } = await readProfiles(file)
    if (!Object.hasOwn(profiles, name)) {
      const names = Object.keys(profiles)
      const meant = nearest(name, names)
      const hint = meant
        ? `; did you mean ${meant}?`
        : names.length > 0
          ? `; existing profiles: ${names.join(', ')}`
          : ''
      throw new CommandError('not_found', `profile ${JSON.stringify(name)} does not exist${hint}`)
    }
    await writeProfiles(file, { current: name, profiles })
    return {
      json: { object: 'profile', name, current: true, url: profiles[name]!.url },
      text: `Commands now use the profile ${name}, at ${profiles[name]!.url}`,
    }
  },
})
