import type { Conversation, MessageTemplate } from '@backline/sdk'
import { type RefObject, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useTemplates } from '../../data/configuration.ts'
import { IconButton } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useTexts } from '../../texts/language.tsx'
import { focusOnOpening } from '../model/opening.ts'
import { TemplatePreview } from './TemplatePreview.tsx'
import { texts } from './texts.ts'

type TemplatesProps = {
  conversation: Conversation
  field: RefObject<HTMLTextAreaElement | null>
  onChoose(template: MessageTemplate): void
}

/** The message templates, each with the text that it has in this conversation. */
export function Templates({ conversation, field, onChoose }: TemplatesProps) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const all = useTemplates()
  useCommands([
    {
      label: text.templates,
      group: text.conversation,
      icon: 'template',
      shortcut: 's',
      choices: () =>
        all.data?.map((template) => ({
          name: `template:${template.id}`,
          label: template.name,
          group: text.templates,
          icon: 'template',
          run() {
            onChoose(template)
            focusOnOpening(conversation.id, 'text')
          },
        })) ?? [],
      run: () => setOpen(true),
    },
  ])
  return (
    <Picker
      trigger={<IconButton isSmall icon="template" label={text.templates} shortcut="s" />}
      title={text.findTemplate}
      options={
        all.data?.map(({ id, name, folder, body }) => ({
          id,
          label: name,
          keywords: body,
          group: folder ?? undefined,
        })) ?? []
      }
      isOpen={isOpen}
      onOpenChange={setOpen}
      finalFocus={field}
      onSelect={(id) => {
        const template = all.data?.find((each) => each.id === id)
        if (template) onChoose(template)
      }}
      preview={(id) => <TemplatePreview id={id} conversation={conversation} />}
      isLoading={all.isPending}
      error={all.data ? null : all.error}
      onRetry={() => void all.refetch()}
      empty={text.noTemplates}
    />
  )
}
