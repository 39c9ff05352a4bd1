import type { SmtpSettings } from '../../catalogue/mailboxes/smtp.ts'

/** The relay of a mailbox with its password; null without authentication. */
export type RelaySettings = SmtpSettings & { password: string | null }
