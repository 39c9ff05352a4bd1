import { typeId } from '../../../platform/kernel/ids.ts'
import { mergeMetadata, mergePatch } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { departments } from '../../team/departments/entity.ts'
import { templatesInUse } from '../message-templates/entity.ts'
import { canonicalAddress } from './addresses.ts'
import { mailboxes } from './entity.ts'
import type { Mailbox } from './queries.ts'
import type { MailboxPatch, NewMailbox } from './schema.ts'
import { mergedSmtp } from './smtp-merge.ts'

export async function createMailbox(change: Change, input: NewMailbox): Promise<Mailbox> {
  const references = new References(change)
  const stamp = change.stamp()
  const address = canonicalAddress(input.address)
  const { outbound = 'client' } = input
  const nothing = { smtp: null, smtp_password_sealed: null }
  const relay = await checkedRelay(change, references, { ...nothing, id: stamp.id, outbound }, input.smtp)
  const department = await references.to(departments, '/department_id', input.department_id)
  const autoReply = await patchedAutoReply(references, noAutoReply, input.auto_reply)
  const aliases = checkedAliases(references, address, input.aliases ?? [])
  references.check()
  return change.rows.create(mailboxes, {
    ...stamp,
    address,
    aliases,
    from_name: input.from_name ?? null,
    signature: input.signature ?? null,
    department_id: department?.id ?? null,
    outbound,
    ...relay,
    status: input.status ?? 'enabled',
    plus_addressing: input.plus_addressing ?? true,
    trusted_authserv_ids: input.trusted_authserv_ids ?? [],
    reply_to_senders: (input.reply_to_senders ?? []).map(canonicalAddress),
    ...autoReply,
    quote: input.quote ?? 'none',
    attach_max_bytes: input.attach_max_bytes ?? 10_485_760,
    rate_per_minute: input.rate_per_minute ?? 60,
    verified_at: null,
    archived: input.archived ?? false,
    metadata: input.metadata ?? {},
  })
}

/** Changes a mailbox. Another relay, or another password, has to be verified anew. */
export async function updateMailbox(change: Change, id: string, patch: MailboxPatch): Promise<Mailbox> {
  const before = await change.rows.load(mailboxes, id)
  const references = new References(change)
  const {
    aliases = before.aliases,
    reply_to_senders: senders = before.reply_to_senders,
    department_id,
    smtp,
    auto_reply,
    metadata,
    ...fields
  } = patch
  const { outbound = before.outbound } = fields
  const relay = await checkedRelay(change, references, { ...before, outbound }, smtp)
  const isSameRelay = relay.smtp === before.smtp && relay.smtp_password_sealed === before.smtp_password_sealed
  const department =
    department_id === undefined
      ? before.department_id
      : (await references.to(departments, '/department_id', department_id, before.department_id))?.id
  const autoReply = await patchedAutoReply(references, before, auto_reply)
  const after = {
    ...fields,
    aliases: checkedAliases(references, before.address, aliases),
    department_id: department ?? null,
    ...relay,
    ...(isSameRelay ? {} : { verified_at: null }),
    reply_to_senders: senders.map(canonicalAddress),
    ...autoReply,
    metadata: mergeMetadata(before.metadata, metadata),
  }
  references.check()
  return change.rows.update(mailboxes, before, after)
}

export async function deleteMailbox(change: Change, id: string): Promise<void> {
  change.rows.remove(mailboxes, await change.rows.load(mailboxes, id))
}

/** The relay after a patch. @param mailbox with `outbound` after the patch */
async function checkedRelay(
  change: Change,
  references: References,
  mailbox: Pick<Mailbox, 'id' | 'smtp' | 'smtp_password_sealed' | 'outbound'>,
  patch: MailboxPatch['smtp'],
) {
  const { secretBox, smtpNetworks } = change.ctx.services
  const { relay, faults } = await mergedSmtp(mailbox, patch, secretBox, smtpNetworks)
  for (const fault of faults) references.fault(fault)
  if (mailbox.outbound === 'smtp' && relay.smtp === null && faults.length === 0)
    references.fault({ pointer: '/smtp', code: 'required', detail: 'is required if outbound is smtp' })
  return relay
}

/** The aliases in their canonical form. The schema has found those that the list repeats. */
function checkedAliases(references: References, address: string, aliases: string[]): string[] {
  const canonical = aliases.map(canonicalAddress)
  const own = canonical.indexOf(address)
  if (own >= 0)
    references.fault({
      pointer: `/aliases/${own}`,
      code: 'not_allowed',
      detail: 'must not be the address of the mailbox',
    })
  return canonical
}

type AutoReply = Pick<Mailbox, 'auto_reply_template_id' | 'auto_reply_to'>

const noAutoReply: AutoReply = { auto_reply_template_id: null, auto_reply_to: null }

async function patchedAutoReply(
  references: References,
  { auto_reply_template_id: kept, auto_reply_to: to }: AutoReply,
  patch: MailboxPatch['auto_reply'],
): Promise<AutoReply> {
  if (patch === undefined) return { auto_reply_template_id: kept, auto_reply_to: to }
  if (patch === null) return noAutoReply
  const before = kept === null ? null : { template_id: typeId('tmpl', kept), to: to! }
  const merged = mergePatch<NonNullable<MailboxPatch['auto_reply']>>(before, patch)
  const pointer = '/auto_reply/template_id'
  if (merged.template_id === undefined) references.fault({ pointer, code: 'required', detail: 'is required' })
  const template = await references.to(templatesInUse, pointer, merged.template_id, kept)
  return { auto_reply_template_id: template?.id ?? null, auto_reply_to: merged.to ?? 'authenticated' }
}
