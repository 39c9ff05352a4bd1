import type { Access } from '../access/access.ts'
import type { Output } from '../command.ts'
import { printLine } from '../print.ts'
import { counted } from '../text.ts'

/** Says what happens: mails that were taken on stdout, trouble on stderr. Texts of mails are not shown. */
export type Report = {
  /** Says all once. */
  opened(folder: string, access: Access): void
  taken(uid: number, mail: { id: string; isNew: boolean }): Promise<void>
  refused(uid: number, reason: string): void
  waits(reason: string, ms: number): void
  summary(): Output
}

export function openReport(json: boolean): Report {
  const taken = { new: 0, known: 0 }
  const refused = new Set<number>()
  let wasOpened = false
  const warn = (text: string, fields: object) =>
    process.stderr.write(`${json ? JSON.stringify({ warning: text, ...fields }) : `warning: ${text}`}\n`)
  return {
    opened(folder, { url, environment }) {
      if (wasOpened || json) return
      wasOpened = true
      process.stdout.write(`Fetching unseen mail of ${folder} to ${url}, ${environment} environment\n`)
    },
    async taken(uid, { id, isNew }) {
      taken[isNew ? 'new' : 'known']++
      refused.delete(uid)
      const line = { object: 'fetched_mail', uid, inbound_email_id: id, is_new: isNew }
      await printLine(json ? JSON.stringify(line) : `${id}  UID ${uid}${isNew ? '' : ', arrived before'}`)
    },
    refused(uid, reason) {
      refused.add(uid)
      warn(`the mail with the UID ${uid} stays unseen: ${reason}`, { uid })
    },
    waits: (reason, ms) => void warn(`${reason}; next attempt in ${Math.ceil(ms / 1000)} s`, {}),
    summary() {
      const count = taken.new + taken.known
      const left = refused.size > 0 ? `; ${counted(refused.size, 'mail')} stayed unseen` : ''
      return {
        json: { object: 'mail_fetch', taken: count, new: taken.new, refused: refused.size },
        text: `Fetched ${counted(count, 'mail')}${left}`,
        exitCode: refused.size > 0 ? 1 : 0,
      }
    },
  }
}
