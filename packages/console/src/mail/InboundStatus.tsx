import type { InboundEmail } from '@backline/sdk'
import { Badge, type Tone } from '../design/Badge.tsx'
import { useTexts } from '../texts/language.tsx'
import { mailTexts } from './texts.ts'

const tones: Record<InboundEmail['status'], Tone> = {
  received: 'neutral',
  created: 'good',
  threaded: 'good',
  bounce: 'info',
  ignored: 'neutral',
  failed: 'bad',
}

/** The names of the statuses of mails that came in. */
export function useInboundStatuses(): Record<InboundEmail['status'], string> {
  const text = useTexts(mailTexts)
  return {
    received: text.received,
    created: text.began,
    threaded: text.threaded,
    bounce: text.bounce,
    ignored: text.ignored,
    failed: text.mailFailed,
  }
}

/** The status of a mail that came in. */
export function InboundStatus({ email: { status } }: { email: InboundEmail }) {
  const words = useInboundStatuses()
  return <Badge tone={tones[status] ?? 'neutral'}>{words[status] ?? status}</Badge>
}
