import type { BlockList } from 'node:net'
import type { FieldError } from '../../../platform/kernel/errors.ts'
import { mergePatch } from '../../../platform/kernel/merge-patch.ts'
import type { SecretBox } from '../../../platform/kernel/secret-box.ts'
import type { Mailbox } from './queries.ts'
import { faultsOfSmtp, type SmtpSettings, smtpHostOf } from './smtp.ts'

type Stored = Pick<Mailbox, 'smtp' | 'smtp_password_sealed'>
type Patch = { [Name in keyof SmtpSettings]?: SmtpSettings[Name] | undefined } & {
  password?: string | null | undefined
}

/**
 * Merges a patch into the relay of a mailbox. What the patch leaves as it is remains the stored object: encrypting the
 * password again would look like a change.
 * @param allowed networks of the configuration
 */
export async function mergedSmtp(
  mailbox: Stored & Pick<Mailbox, 'id'>,
  patch: Patch | null | undefined,
  box: SecretBox,
  allowed: BlockList,
): Promise<{ relay: Stored; faults: FieldError[] }> {
  const { id, smtp, smtp_password_sealed } = mailbox
  const same = { smtp, smtp_password_sealed }
  if (patch === undefined) return { relay: same, faults: [] }
  if (patch === null) return { relay: { smtp: null, smtp_password_sealed: null }, faults: [] }
  const { password, ...others } = patch
  const { host, port, security, username = null } = mergePatch<SmtpSettings>(smtp, others)
  const hasPassword = password === undefined ? smtp_password_sealed !== null : password !== null
  const absent = [
    ...Object.entries({ host, port, security }).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    ),
    ...(hasPassword && username === null ? ['username'] : []),
    ...(!hasPassword && username !== null ? ['password'] : []),
  ]
  const faults: FieldError[] = absent.map((name) => ({
    pointer: `/smtp/${name}`,
    code: 'required',
    detail: 'is required',
  }))
  if (host === undefined || port === undefined || security === undefined) return { relay: same, faults }
  for (const { field, ...fault } of faultsOfSmtp({ host, port, security }, allowed))
    faults.push({ pointer: `/smtp/${field}`, ...fault })
  if (faults.length > 0) return { relay: same, faults }
  const merged: SmtpSettings = { host: smtpHostOf(host)!, port, security, username }
  return {
    relay: {
      smtp: JSON.stringify(merged) === JSON.stringify(smtp) ? smtp : merged,
      smtp_password_sealed: await sealedPassword(id, smtp_password_sealed, password, box),
    },
    faults,
  }
}

async function sealedPassword(
  id: string,
  stored: Buffer | null,
  password: string | null | undefined,
  box: SecretBox,
): Promise<Buffer | null> {
  if (password === undefined) return stored
  if (password === null) return null
  const isSame = stored !== null && (await box.open(stored, id)) === password
  return isSame ? stored : box.seal(password, id)
}
