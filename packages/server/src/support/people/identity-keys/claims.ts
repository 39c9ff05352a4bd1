import { isKnownLocale } from '../../../platform/kernel/locales.ts'
import { isTimeZone } from '../../../platform/kernel/time-zones.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { type EmailAddress, type EndUser, emailKey, findOwnerOfAddress } from '../end-users/queries.ts'
import { EndUserSchema, maxAddresses } from '../end-users/schema.ts'
import type { Claims } from './jwt.ts'

/*
 * Claims of OpenID Connect that update an end user. A claim that is absent, or that the field cannot hold, changes
 * nothing: a name that is too long does not keep anybody from signing in.
 */

type Pattern = { type: string; minLength?: number; maxLength?: number; pattern?: string }

/** The schema of texts of a field: of the field itself, of its items, or of the address of its items. */
const schemaOf = {
  name: EndUserSchema.properties.name,
  email: EndUserSchema.properties.emails.items.properties.address,
  phone: EndUserSchema.properties.phones.items,
  language: EndUserSchema.properties.language,
  avatar: EndUserSchema.properties.avatar_url,
} as unknown as Record<'name' | 'email' | 'phone' | 'language' | 'avatar', Pattern>

function textOf(claim: unknown, { minLength = 0, maxLength, pattern }: Pattern): string | null {
  if (typeof claim !== 'string' || claim.length < minLength || [...claim].length > maxLength!) return null
  return new RegExp(pattern!, 'u').test(claim) ? claim : null
}

/** The fields that verified claims give an end user. */
export async function fieldsOf(change: Change, claims: Claims, endUser: EndUser): Promise<Partial<EndUser>> {
  const name = textOf(claims.name, schemaOf.name)
  const email = textOf(claims.email, schemaOf.email)
  const phone = textOf(claims.phone_number, schemaOf.phone)
  const language = languageOf(claims.locale)
  const timezone = typeof claims.zoneinfo === 'string' && isTimeZone(claims.zoneinfo) ? claims.zoneinfo : null
  const avatar = textOf(claims.picture, schemaOf.avatar)
  return {
    ...(name === null ? {} : { name }),
    ...(email === null
      ? {}
      : { emails: await emailsOf(change, endUser, email, claims.email_verified === true) }),
    ...(phone === null
      ? {}
      : { phones: [phone, ...endUser.phones.filter(isNot(phone))].slice(0, maxAddresses) }),
    ...(language === null ? {} : { language }),
    ...(timezone === null ? {} : { timezone }),
    ...(avatar === null ? {} : { avatar_url: avatar }),
  }
}

const isNot = (text: string) => (other: string) => other !== text

/** `en_US` is how some identity providers write `en-US`. */
function languageOf(claim: unknown): string | null {
  const tag = textOf(typeof claim === 'string' ? claim.replaceAll('_', '-') : claim, schemaOf.language)
  return tag !== null && isKnownLocale(tag) ? tag : null
}

/**
 * The addresses of an end user with the claimed one as the main one. An address that another end user has verified is
 * added unverified.
 */
async function emailsOf(
  change: Change,
  endUser: EndUser,
  address: string,
  isProven: boolean,
): Promise<EmailAddress[]> {
  const { emails } = endUser
  const key = emailKey(address)
  const known = emails.find((each) => emailKey(each.address) === key)
  const proven = { ...endUser, emails: [{ address, verified: true }] }
  const isFree = isProven && (await findOwnerOfAddress(change.db, change.tenantId, proven)) === null
  if (isProven) change.repeatIfTaken(endUser, 'emails') // by somebody who proves the address at the same time
  const verified = known?.verified === true || isFree
  const main = known?.verified === verified ? known : { address, verified }
  return [main, ...emails.filter((each) => each !== known)].slice(0, maxAddresses)
}
