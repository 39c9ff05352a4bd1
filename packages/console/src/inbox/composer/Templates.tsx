import { ApiError, type Conversation, type MessageTemplate } from '@backline/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useTemplates } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { IconButton } from '../../design/Button.tsx'
import { TextField } from '../../design/Field.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { missingVariables, withValue } from './variables.ts'

type TemplatesProps = { conversation: Conversation; onInsert(text: string, isMarkdown: boolean): void }

type Asked = { template: MessageTemplate; names: string[] }

/** Puts the text of a message template into the draft, with the values of the conversation. */
export function Templates(props: TemplatesProps) {
  const { can } = useEnvironment()
  return can('message_templates:read') && <Chooser {...props} />
}

function Chooser({ conversation, onInsert }: TemplatesProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const all = useTemplates()
  const render = useMutation({
    mutationFn: async ({
      template,
      values,
    }: {
      template: MessageTemplate
      values: Record<string, string>
    }) => {
      const variables = Object.entries(values).reduce((all, [path, value]) => withValue(all, path, value), {})
      return backline.messageTemplates.render(template.id, { conversation_id: conversation.id, variables })
    },
    onSuccess(rendered) {
      setAsked(null)
      onInsert(rendered.body, rendered.body_format === 'markdown')
    },
    onError(error, { template }) {
      const isMissing = error instanceof ApiError && error.code === 'template_variable_missing'
      const { own, lacking } = isMissing ? missingVariables(error) : { own: [], lacking: [] }
      if (lacking.length > 0)
        toast.failed({ title: text.templateFailed, detail: text.lacking(lacking.join(', ')) })
      else if (own.length > 0) setAsked({ template, names: [...new Set([...(asked?.names ?? []), ...own])] })
      else toast.failed({ title: text.templateFailed, detail: reasonOf(error) })
    },
  })
  useCommands([
    {
      label: text.templates,
      group: text.conversation,
      icon: 'template',
      shortcut: 's',
      run: () => setOpen(true),
    },
  ])
  return (
    <>
      <Picker
        trigger={<IconButton icon="template" label={text.templates} shortcut="s" />}
        title={text.findTemplate}
        options={
          all.data?.map(({ id, name, folder, body }) => ({
            id,
            label: name,
            detail: body,
            group: folder ?? undefined,
          })) ?? []
        }
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={(id) => {
          const template = all.data?.find((each) => each.id === id)
          if (template) render.mutate({ template, values: {} })
        }}
        isLoading={all.isPending}
        error={all.data ? null : all.error}
        onRetry={() => void all.refetch()}
        empty={text.noTemplates}
      />
      {asked && (
        <Variables
          asked={asked}
          isPending={render.isPending}
          onClose={() => setAsked(null)}
          onRender={(values) => render.mutate({ template: asked.template, values })}
        />
      )}
    </>
  )
}

type VariablesProps = {
  asked: Asked
  isPending: boolean
  onClose(): void
  onRender(values: Record<string, string>): void
}

/** Asks for the values that a template needs and the conversation does not have. */
function Variables({ asked, isPending, onClose, onRender }: VariablesProps) {
  const text = useTexts(texts)
  const [values, setValues] = useState<Record<string, string>>({})
  return (
    <ActionDialog
      title={text.variablesOf(asked.template.name)}
      action={text.insert}
      isDisabled={isPending}
      onSubmit={() => onRender(values)}
      onClose={onClose}
    >
      <p>{text.variablesHint}</p>
      {asked.names.map((name) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ''}
          required
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
    </ActionDialog>
  )
}
