import {
  Enum,
  Flag,
  Int,
  type Members,
  Nullable,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { MailAddress } from '../../catalogue/mailboxes/addresses.ts'
import { type Stage, stages } from '../smtp/replies.ts'

export const VerificationRequest = Shape({
  to: MailAddress({ description: 'The address that gets the test mail, such as your own.' }),
})
export type VerificationRequest = Members<typeof VerificationRequest>

export type Verification = {
  ok: boolean
  stage: Stage | null
  smtp_code: number | null
  response: string
  verified_at: string | null
}

const maxResponse = 500

export const verificationExample = {
  object: 'mailbox_verification',
  ok: false,
  stage: 'auth',
  smtp_code: 535,
  response: '535 5.7.8 Authentication failed',
  verified_at: null,
}

export const verificationWire = defineWire<Verification>({
  name: 'MailboxVerification',
  schema: Shape({
    object: Enum(['mailbox_verification']),
    ok: Flag({ description: 'Whether the relay took the test mail.' }),
    stage: Nullable(Enum(stages), {
      description:
        'The step that failed: `resolve` of the host name, `connect`, `tls`, `auth`, `sender`, `recipient` or `data`; null if none did.',
    }),
    smtp_code: Nullable(Int(200, 599), { description: 'The code of the reply; null without one.' }),
    response: Text(0, maxResponse, {
      description: 'The reply of the relay, or what happened instead.',
    }),
    verified_at: Nullable(Timestamp(), {
      description: 'The time of the last test mail that the relay took; null while mail waits for one.',
    }),
  }),
  example: verificationExample,
  present: ({ response, ...row }) => ({
    object: 'mailbox_verification',
    ...row,
    response: response.slice(0, maxResponse),
  }),
})
