import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import type { RelaySettings } from '../smtp/settings.ts'

/** The relay of a mailbox, with its password. */
export const settingsOf = async (
  { id, smtp, smtp_password_sealed: sealed }: Mailbox,
  box: SecretBox,
): Promise<RelaySettings> => ({ ...smtp!, password: sealed === null ? null : await box.open(sealed, id) })
