import type { automaticKinds, bases, directions } from './facts.ts'

export type EmailAddress = { address: string; name: string | null }

export type Automatic = (typeof automaticKinds)[number]

export type Authentication = {
  authserv_id: string | null
  dmarc: string | null
  dkim: string | null
  spf: string | null
  verified: boolean
  basis: (typeof bases)[number] | null
}

/** The mail of a message. Ids are UUIDs. */
export type MessageEmail = {
  direction: (typeof directions)[number]
  mailbox_id: string | null
  inbound_email_id: string | null
  header_message_id: string | null
  in_reply_to: string | null
  references: string[]
  from: EmailAddress | null
  to: EmailAddress[]
  cc: EmailAddress[]
  bcc: EmailAddress[]
  reply_to: EmailAddress[]
  subject: string | null
  quoted: string | null
  automatic: Automatic | null
  authentication: Authentication | null
  warnings: string[]
}
