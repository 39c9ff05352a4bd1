import { join } from 'node:path'
import { Batches } from '../../../platform/kernel/batches.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Threads } from '../../../platform/kernel/threads.ts'
import type { Reason } from '../inbound-emails/schema.ts'
import { type Digest, digestEmail, digestEmails, type Unread } from './digest.ts'

type Result = Digest | { refused: Reason }

/**
 * Reads a mail of an environment in a worker thread.
 * @throws TookTooLong, and what `Threads` throws
 */
export type EmailReader = (tenantId: string, unread: Unread) => Promise<Result>

const mostTogether = 8
const module = new URL(`./digest${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href

/** Small mails of an environment that are to be read at once are read by one call. Environments take turns. */
export function emailReader(threads: Threads): EmailReader {
  const batches = new Batches<Unread, Result>(mostTogether)
  const alone = (tenantId: string, unread: Unread) => threads.run(tenantId, module, digestEmail, unread)

  return (tenantId, unread) =>
    'path' in unread.source
      ? alone(tenantId, unread)
      : batches.ask(tenantId, unread, async (all) => {
          if (all.length === 1) return all.map((each) => alone(tenantId, each))
          try {
            return await threads.run(tenantId, module, digestEmails, all)
          } catch (error) {
            if (error instanceof ApiError) throw error
            // One of them takes too long, or ends the thread. Files that were written remain, so this is another place.
            return all.map((each) => alone(tenantId, { ...each, directory: join(each.directory, 'alone') }))
          }
        })
}
