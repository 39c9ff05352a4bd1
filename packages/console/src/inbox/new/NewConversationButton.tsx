import type { EndUser } from '@backline/sdk'
import { useLocation } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { useCommand } from '../../app/commands.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { newConversation, useNewConversation } from './use-new-conversation.tsx'

/** Begins a conversation with a person, and opens it in the inbox. */
export function NewConversationButton({ person }: { person: EndUser }) {
  const text = useTexts(texts)
  const [, navigate] = useLocation()
  const pathOf = useConversationPath()
  const { open, dialog } = useNewConversation({
    person,
    group: text.endUser,
    shortcut: 'c',
    onCreated: (id) => navigate(pathOf(id)),
  })
  return (
    open && (
      <>
        <Button variant="primary" icon="plus" onClick={open}>
          {text.newConversation}
        </Button>
        {dialog}
      </>
    )
  )
}

/** Runs the command of the page that begins a conversation. */
export function NewConversationIcon() {
  const command = useCommand(newConversation)
  return (
    command && (
      <IconButton
        icon="plus"
        label={command.label}
        shortcut={command.shortcut ?? ''}
        onClick={() => command.run()}
      />
    )
  )
}
