import { invocation } from '@backline/server/compose/invocation.ts'
import { secretHint } from '@backline/server/support/vocabulary/credentials.ts'
import { environmentOf } from './access/access.ts'
import { readProfiles } from './access/profiles.ts'
import { readSettings } from './access/settings.ts'
import { defineCommand } from './command.ts'
import { printable, table } from './text.ts'

export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const { current, profiles } = await readProfiles(readSettings(environment).file)
    const data = Object.entries(profiles).map(([name, { url, key, workspace }]) => ({
      object: 'profile',
      name,
      current: name === current,
      url,
      workspace,
      environment: environmentOf(key),
      key_hint: secretHint(key),
    }))
    const rows = data.map((profile) => [
      profile.current ? '*' : '',
      printable(profile.name),
      profile.environment,
      profile.key_hint,
      printable(profile.workspace ?? '-'),
      printable(profile.url),
    ])
    return {
      json: { object: 'list', data },
      text:
        data.length === 0
          ? `There are no profiles; run: ${invocation} login`
          : table([['', 'NAME', 'ENVIRONMENT', 'KEY', 'WORKSPACE', 'URL'], ...rows]),
    }
  },
})
