import type { MessageEmail } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Quiet, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { type Tab, Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Email.module.css'
import { MailFrame } from './MailFrame.tsx'
import { texts } from './texts.ts'

/** A mail as it was sent: with what the message leaves out. */
export function OriginalDialog({ messageId, onClose }: { messageId: string; onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: ['messages', messageId, 'email'],
    queryFn: ({ signal }) => backline.messages.email.retrieve(messageId, { signal }),
  })
  return (
    <Dialog isOpen form="panel" width="wide" title={text.originalTitle} onClose={onClose}>
      <Loaded query={query}>{(email) => <Parts email={email} />}</Loaded>
    </Dialog>
  )
}

type Part = 'html' | 'text' | 'headers'

function Parts({ email: { html, text: plain, headers } }: { email: MessageEmail }) {
  const text = useTexts(texts)
  const [chosen, setChosen] = useState<Part>(html !== null ? 'html' : plain !== null ? 'text' : 'headers')
  const tabs: (Tab<Part> | false)[] = [
    html !== null && {
      name: 'html',
      label: text.asHtml,
      content: (
        <Stack>
          <MailFrame html={html} title={text.originalTitle} />
          <Quiet as="p">{text.imagesLeftOut}</Quiet>
        </Stack>
      ),
    },
    plain !== null && {
      name: 'text',
      label: text.text,
      content: (
        <pre className={styles.plain} dir="auto">
          {plain}
        </pre>
      ),
    },
    {
      name: 'headers',
      label: text.headers,
      content: <DescriptionList items={numbered(headers)} />,
    },
  ]
  return (
    <Tabs
      chosen={chosen}
      onSelect={(name) => setChosen(name)}
      tabs={tabs.filter((tab): tab is Tab<Part> => Boolean(tab))}
    />
  )
}

/** Headers repeat: lists are keyed by their names. */
function numbered(headers: MessageEmail['headers']): [string, string][] {
  const seen = new Map<string, number>()
  return headers.map(({ name, value }) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return [count === 1 ? name : `${name} (${count})`, value]
  })
}
