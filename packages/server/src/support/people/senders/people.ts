import type { Change } from '../../../platform/unit-of-work/change.ts'
import { endUsers } from '../end-users/entity.ts'
import { statusOf } from '../end-users/identity.ts'
import { newEndUser } from '../end-users/naming.ts'
import type { EndUser } from '../end-users/queries.ts'
import { findHolders, type Holders, insertSenders, replaceSenders } from './queries.ts'

/** An address in its canonical form, and the name beside it. */
type NamedAddress = { address: string; name: string | null }

/** The people whom addresses name, each found once in a change. */
export class People {
  readonly #change: Change
  readonly #holders = new Map<string, Holders>()
  readonly #made = new Map<string, EndUser>()

  constructor(change: Change) {
    this.#change = change
  }

  /** Reads the holders of these addresses, which are canonical, together. */
  async know(addresses: string[]): Promise<void> {
    const unknown = [...new Set(addresses)].filter((address) => !this.#holders.has(address))
    if (unknown.length === 0) return
    const { db, tenantId } = this.#change
    for (const holders of await findHolders(db, tenantId, unknown))
      this.#holders.set(holders.address, holders)
  }

  async operatorIdAt(address: string): Promise<string | null> {
    await this.know([address])
    return this.#holders.get(address)!.operator_id
  }

  /** The end user who holds the address as verified; null if there is none. */
  async holderOf(address: string): Promise<EndUser | null> {
    await this.know([address])
    const id = this.#holders.get(address)!.verified_id
    return this.endUserWithId(id)
  }

  /** True if the end user is blocked who holds the address as verified, or whom mail from it made. */
  async isBlocked(address: string): Promise<boolean> {
    const holder = await this.holderOf(address)
    const senderId = this.#holders.get(address)!.sender_id
    const sender = senderId === null ? null : await this.#change.rows.find(endUsers, senderId)
    return [holder, sender && isOnlyKnownByMail(sender, address) ? sender : null].some(
      (each) => each?.blocked_at,
    )
  }

  /** The end user of a verified mail: the holder of its address, or the one whom mail from it made. */
  async verifiedAt(from: NamedAddress): Promise<EndUser> {
    return (await this.holderOf(from.address)) ?? this.claimedAt(from)
  }

  /**
   * The end user whom mail from this address made, as long as nothing but mail is known of it: unproven mail speaks for
   * nobody else. Made now, if there is none.
   */
  async claimedAt({ address, name }: NamedAddress): Promise<EndUser> {
    const made = this.#made.get(address)
    if (made) return made
    await this.know([address])
    const formerId = this.#holders.get(address)!.sender_id
    const former = formerId === null ? null : await this.#change.rows.find(endUsers, formerId)
    if (former && isOnlyKnownByMail(former, address)) return former
    const endUser = this.#change.rows.create(
      endUsers,
      newEndUser(this.#change, {
        name: name?.trim().slice(0, maxName) || null,
        emails: [{ address, verified: false }],
      }),
    )
    this.#made.set(address, endUser)
    const row = { address, end_user_id: endUser.id }
    this.#change.effects.claim(`email_sender/${address}`)
    if (formerId === null) this.#change.effects.writeBatched(insertSenders, row)
    else this.#change.effects.writeExpecting(replaceSenders, { ...row, former_id: formerId })
    return endUser
  }

  /** An end user, or the target of its merge; null for one who was erased. */
  async endUserWithId(id: string | null): Promise<EndUser | null> {
    const endUser = id === null ? null : await this.#change.rows.find(endUsers, id)
    if (!endUser || endUser.erased_at !== null) return null
    return endUser.merged_into_id === null ? endUser : this.endUserWithId(endUser.merged_into_id)
  }
}

const maxName = 200

const isOnlyKnownByMail = (endUser: EndUser, address: string): boolean =>
  ['active', 'blocked'].includes(statusOf(endUser)) &&
  endUser.external_id === null &&
  endUser.verified_at === null &&
  endUser.emails.some((each) => each.address.toLowerCase() === address && !each.verified)
