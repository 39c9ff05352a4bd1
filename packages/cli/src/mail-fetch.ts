import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { accessOf, accessOptions } from './access/access.ts'
import { defineCommand } from './command.ts'
import { UsageError } from './errors.ts'
import { accountOf, folderOf } from './mail/account.ts'
import { openReport } from './mail/report.ts'
import { untilStopped } from './stop.ts'

const name = 'mail fetch'

/** Delivers the mails of an IMAP folder, until it is stopped. */
export const command = defineCommand({
  description: `Delivers each unseen mail of the folder to the API (POST /v1/inbound_emails), and then marks it as seen, \
or moves it. New mail arrives at once if the server has IDLE, otherwise within a minute. A mail that the API refuses \
stays unseen and is tried again later. Run it again after a crash at any time: no mail is lost, and none becomes two. \
imap:// is encrypted by STARTTLS, except on this machine. The key needs the scope inbound_emails:write.`,
  options: {
    ...accessOptions,
    mailbox: { value: 'ID', summary: 'The mailbox for the mails: mbx_…', required: true },
    imap: {
      value: 'URL',
      summary: 'The folder: imaps://ada@example.com@imap.example.com/INBOX',
      required: true,
    },
    'password-file': {
      value: 'FILE',
      summary: 'A file with the password, readable by you alone',
      required: true,
    },
    once: {
      value: '',
      summary: 'End when each unseen mail was tried; exit code 0 if all were taken',
      flag: true,
    },
    'move-to': { value: 'FOLDER', summary: 'Move mails to this folder instead of marking them as seen' },
  },
  async run({ options, json, environment }) {
    const { mailbox, imap, once = false, profile, url, 'move-to': moveTo } = options
    if (uuidOf('mbx', mailbox) === null) {
      const detail = 'must be the id of a mailbox, mbx_…'
      throw new UsageError(`--mailbox ${detail}`, name, [
        { argument: '--mailbox', code: 'bad_format', detail },
      ])
    }
    const fetching = {
      account: accountOf(imap, name),
      passwordFile: options['password-file'],
      moveTo: moveTo === undefined ? null : folderOf('--move-to', moveTo, name),
      mailboxId: mailbox,
      access: await accessOf(name, { profile, url }, environment),
      once,
    }
    const report = openReport(json)
    // Loaded on demand: the help and the completion of commands do without the library of IMAP.
    const { fetchMail } = await import('./mail/fetching.ts')
    const isStopped = await untilStopped(async (stop) => {
      await fetchMail(fetching, report, stop)
      return stop.aborted
    })
    const summary = report.summary()
    return { ...summary, exitCode: once ? Math.max(summary.exitCode ?? 0, isStopped ? 1 : 0) : 0 }
  },
})
