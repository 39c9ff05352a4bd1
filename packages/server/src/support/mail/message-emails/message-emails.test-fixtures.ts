import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { insertContents } from '../../desk/messages/email/queries.ts'

const contents = { headers: [{ name: 'Subject', value: 'Card declined' }], text: 'Twice.', html: null }

export const fixtures: RouteFixtures = {
  preparations: {
    getMessageEmail: {
      async prepare(ctx, { id }) {
        const mail = { message_id: uuidOf('msg', id!)!, ...contents }
        await transact(ctx, (change) => change.effects.writeBatched(insertContents, mail))
      },
    },
  },
}
