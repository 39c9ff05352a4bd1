import { join } from 'node:path'
import { Batches } from '../../../platform/kernel/batches.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Threads } from '../../../platform/kernel/threads.ts'
import type { Reason } from '../inbound-emails/schema.ts'
import { type Digest, digestEmail, digestEmails, type Unread } from './digest.ts'

type Result = Digest | { refused: Reason }

/**
 * Reads a mail in a worker thread.
 * @throws TookTooLong, and what `Threads` throws
 */
export type EmailReader = (tenantId: string, id: string, unread: Unread) => Promise<Result>

const mostTogether = 8
const module = new URL(`./digest${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href

/** Small mails of an environment that are to be read at once are read by one call. */
export function emailReader(threads: Threads): EmailReader {
  const batches = new Batches<{ id: string; unread: Unread }, Result>(mostTogether)
  const alone = ({ id, unread }: { id: string; unread: Unread }) =>
    threads.run(id, module, digestEmail, unread)

  return (tenantId, id, unread) =>
    'path' in unread.source
      ? alone({ id, unread })
      : batches.ask(tenantId, { id, unread }, async (all) => {
          if (all.length === 1) return all.map(alone)
          try {
            const [first] = all
            return await threads.run(
              first!.id,
              module,
              digestEmails,
              all.map((each) => each.unread),
            )
          } catch (error) {
            if (error instanceof ApiError) throw error
            // One of them takes too long, or ends the thread. Files that were written remain, so this is another place.
            return all.map(({ id, unread }) =>
              alone({ id, unread: { ...unread, directory: join(unread.directory, 'alone') } }),
            )
          }
        })
}
