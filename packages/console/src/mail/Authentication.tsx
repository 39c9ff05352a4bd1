import type { EmailAuthentication } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Badge } from '../design/Badge.tsx'
import { Stack } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import { mailTexts } from './texts.ts'

/** Whether a mail is from whom it says it is from, and why, in words. */
export function useVerdict(): (authentication: EmailAuthentication | null) => {
  isVerified: boolean
  reason: string
} {
  const text = useTexts(mailTexts)
  return (authentication) => {
    const { verified = false, basis = null, authserv_id = null } = authentication ?? {}
    if (verified) return { isVerified: true, reason: basis === 'reply' ? text.by_reply : text.by_dmarc }
    return {
      isVerified: false,
      reason: authserv_id === null ? text.notReported : text.notConfirmed(authserv_id),
    }
  }
}

/** Returns the report of the mail server about the sender of a mail, as names and values. */
export function useAuthenticationFacts(): (
  authentication: EmailAuthentication | null,
) => [string, ReactNode][] {
  const text = useTexts(mailTexts)
  const verdictOf = useVerdict()
  return (authentication) => {
    const { isVerified, reason } = verdictOf(authentication)
    const results = (['spf', 'dkim', 'dmarc'] as const).map((name): [string, ReactNode] => [
      name.toUpperCase(),
      <Result key={name} value={authentication?.[name] ?? null} />,
    ])
    return [
      [
        text.authentication,
        <Stack as="span" key="verdict" gap="half">
          <span>
            <Badge tone={isVerified ? 'good' : 'warn'}>{isVerified ? text.verified : text.notVerified}</Badge>
          </span>
          <small>{reason}</small>
        </Stack>,
      ],
      ...results,
      [text.reportedBy, authentication?.authserv_id ?? text.nobodyTrusted],
    ]
  }
}

export function Result({ value }: { value: string | null }) {
  const text = useTexts(mailTexts)
  if (value === null) return <small>{text.notGiven}</small>
  return <Badge tone={value === 'pass' ? 'good' : value === 'none' ? 'neutral' : 'bad'}>{value}</Badge>
}
