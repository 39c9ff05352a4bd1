import type { EndUser } from '@backline/sdk'
import { type ReactNode, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { lazyComponent } from '../../app/lazy.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const NewConversation = lazyComponent(async () => (await import('./NewConversation.tsx')).NewConversation)

/** The name of the command that opens the form, for buttons elsewhere on the page. */
export const newConversation = 'new_conversation'

type Options = {
  /** To whom the first message goes; null to choose. */
  person: EndUser | null
  group: string
  shortcut: 'c' | null
  onCreated(id: string): void
}

/** Offers the command that begins a conversation. `open` is null for a role that may not. */
export function useNewConversation({ person, group, shortcut, onCreated }: Options): {
  open: (() => void) | null
  dialog: ReactNode
} {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const isAllowed = can('conversations:write') && can('messages:write') && can('end_users:read')
  const open = () => setOpen(true)
  useCommands(
    isAllowed
      ? [
          {
            name: newConversation,
            label: text.newConversation,
            group,
            icon: 'plus',
            ...(shortcut && { shortcut }),
            run: open,
          },
        ]
      : [],
  )
  return {
    open: isAllowed ? open : null,
    dialog: isOpen && (
      <NewConversation
        person={person}
        onClose={() => setOpen(false)}
        onCreated={(id) => {
          setOpen(false)
          onCreated(id)
        }}
      />
    ),
  }
}
