import type { Mailbox } from '@backline/sdk'
import type { Option } from '../../design/Field.tsx'
import { Notice, Quiet } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { channels } from '../../texts/values.ts'
import { useSuppressed } from '../email/compose/use-suppressed.ts'
import { addressOf, type Draft } from './draft.ts'
import { texts } from './texts.ts'

const isChannel = (value: string): value is Draft['channel'] =>
  (channels as readonly string[]).includes(value)

/**
 * The ways to a person: a mail from one of the mailboxes, or another channel. Until one is chosen, it is a mail if the
 * person has an address.
 */
export function useChannels(draft: Draft, mailboxes: Mailbox[] | undefined) {
  const text = useTexts(texts)
  const offered = (mailboxes ?? []).filter(({ archived }) => !archived)
  const first = draft.isChannelChosen || !addressOf(draft) ? undefined : offered[0]?.id
  const mailboxId = draft.mailboxId ?? first ?? null
  const options: Option[] = [
    ...offered.map(({ id, address }) => ({ value: id, label: text.byMail(address) })),
    ...channels.map((value) => ({ value, label: text[value] })),
  ]
  return {
    mailboxId,
    options,
    value: mailboxId ?? draft.channel,
    changeTo: (value: string): Partial<Draft> => ({
      isChannelChosen: true,
      ...(isChannel(value) ? { channel: value, mailboxId: null } : { mailboxId: value }),
    }),
  }
}

/** Says to whom the mail goes, and whether it will not be sent. */
export function MailNotice({ address }: { address: string | undefined }) {
  const text = useTexts(texts)
  const [suppressed] = useSuppressed(address ? [address] : [], true)
  if (address === undefined) return null
  return suppressed ? (
    <Notice tone="warn" icon="warning" role="status">
      {text.suppressed(suppressed)}
    </Notice>
  ) : (
    <Quiet as="p" role="status">
      {text.mailTo(address)}
    </Quiet>
  )
}
