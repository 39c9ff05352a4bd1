/** An object as the API shows it, or some of its members. */
export type ApiObject = Record<string, unknown>

const none = () => null
const noText = () => ''
const noMembers = () => ({})
const noItems = () => []
const without =
  (member: string) =>
  (value: unknown): unknown =>
    value !== null && typeof value === 'object' ? { ...value, [member]: null } : null

/** The members with texts of people or about them, by the type of the object, and what replaces their values. */
const texts: Record<string, Record<string, (value: unknown) => unknown>> = {
  conversation: {
    external_user_id: none,
    subject: none,
    metadata: noMembers,
    custom_fields: noMembers,
    hold: without('note'),
  },
  message: {
    body: noText,
    body_html: none,
    metadata: noMembers,
    attachments: noItems,
    email: none,
    delivery: none,
    author: without('name'), // as the author sees it
  },
  end_user: {
    external_id: none,
    name: none,
    emails: noItems,
    phones: noItems,
    language: none,
    timezone: none,
    avatar_url: none,
    company_ids: noItems,
    custom_fields: noMembers,
    metadata: noMembers,
    block: without('reason'),
    legal_hold: none,
  },
  inbound_email: {
    from: none,
    to: noItems,
    cc: noItems,
    reply_to: noItems,
    subject: none,
    mail_from: none,
    dropped_attachments: noItems,
  },
  email_suppression: { address: noText },
  end_user_merge: { conflicts: noItems },
  job: { params: noMembers },
  file: { filename: () => erasedName, upload: none },
}

/** The name of a file whose name was erased. */
export const erasedName = 'erased'

/** An object without its texts. @param type that of the object, which may lack the member `object` */
export function emptied(type: string, object: ApiObject): ApiObject {
  const entries = Object.entries(texts[type] ?? {}).filter(([name]) => Object.hasOwn(object, name))
  return {
    ...object,
    ...Object.fromEntries(entries.map(([name, emptiedOf]) => [name, emptiedOf(object[name])])),
  }
}

/** The data that is taken out of objects. */
export type Meant = {
  /** Is this object about what is erased, wherever it is shown? All its texts are. */
  isMeant(object: ApiObject): boolean
  /** Takes what is erased out of another object of a type, or out of some of its members. */
  without?(type: string, object: ApiObject): ApiObject
}

function withoutMeant(type: string, object: ApiObject, { isMeant, without }: Meant): ApiObject {
  const own = isMeant(object) ? emptied(type, object) : object
  return without ? without(type, own) : own
}

/** A value in which all objects that are meant have no texts, wherever they are in it. */
export function emptiedWithin(value: unknown, erasure: Meant): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each) => emptiedWithin(each, erasure))
  const object = value as ApiObject
  const own = typeof object.object === 'string' ? withoutMeant(object.object, object, erasure) : object
  return Object.fromEntries(
    Object.entries(own).map(([name, member]) => [name, emptiedWithin(member, erasure)]),
  )
}
