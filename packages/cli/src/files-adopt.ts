import { readConfig } from '@backline/server/compose/config.ts'
import { openFileStore } from '@backline/server/compose/files.ts'
import { adoptStore, nameOfStore } from '@backline/server/compose/store-marker.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'

/** Copies no files. */
export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const config = readConfig(environment)
    const { files } = config
    await withDatabase(config, async (db) => {
      const store = await openFileStore(files)
      await adoptStore(store, db).finally(() => store.close())
    })
    const name = nameOfStore(files.store)
    return {
      json: { object: 'file_store', kind: files.store.kind, name },
      text: `From now on ${name} is the file store of this database. Files in another store are not found.`,
    }
  },
})
