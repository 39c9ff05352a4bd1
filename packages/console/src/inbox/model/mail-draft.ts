import type { CreateMessageBody } from '@backline/sdk'
import { isAddress } from '../../mail/addresses.ts'

/** The mail that a reply is sent as, as far as a person has chosen it. All else is as usual. */
export type MailDraft = {
  /** Given with `cc`: a mail to somebody else has nobody else in `Cc`. */
  to?: string[]
  cc?: string[]
  bcc?: string[]
  subject?: string
}

type NewEmail = NonNullable<CreateMessageBody['email']>

export const mostRecipients = 50

/** The recipients that are no addresses. */
export const wrongIn = (addresses: string[] = []): string[] => addresses.filter((each) => !isAddress(each))

export const countOf = ({ to = [], cc = [], bcc = [] }: MailDraft): number =>
  to.length + cc.length + bcc.length

/** Whether a mail can be sent so. */
export const isSendable = (mail: MailDraft = {}): boolean =>
  [mail.to, mail.cc, mail.bcc].every((each) => wrongIn(each).length === 0) && countOf(mail) <= mostRecipients

/** The member of a request; nothing if all is as usual. */
export function emailOf({ to, cc, bcc = [], subject = '' }: MailDraft = {}): { email?: NewEmail } {
  const email: NewEmail = {
    ...(to && { to, cc: cc ?? [] }),
    ...(bcc.length > 0 && { bcc }),
    ...(subject.trim() !== '' && { subject: subject.trim() }),
  }
  return Object.keys(email).length === 0 ? {} : { email }
}

/** The choices of a request that was not sent. */
export function mailDraftOf(email: CreateMessageBody['email']): { mail?: MailDraft } {
  if (!email) return {}
  const { to, cc, bcc, subject } = email
  return {
    mail: {
      ...(to && { to, cc: cc ?? [] }),
      ...(bcc && { bcc }),
      ...(subject !== undefined && { subject }),
    },
  }
}
