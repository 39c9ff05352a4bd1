import { ApiError, type Conversation, type MessageTemplate } from '@backline/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { missingVariables, withValue } from './variables.ts'

type Asked = { template: MessageTemplate; names: string[] }
type Wanted = { template: MessageTemplate; values: Record<string, string> }

/**
 * Renders a template with the values of the conversation, and hands its text over. A dialog asks for values that the
 * conversation does not have.
 */
export function useTemplate(
  conversation: Conversation,
  onText: (text: string, isMarkdown: boolean, templateId: string) => void,
) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [asked, setAsked] = useState<Asked | null>(null)
  const render = useMutation({
    mutationFn: async ({ template, values }: Wanted) => {
      const variables = Object.entries(values).reduce((all, [path, value]) => withValue(all, path, value), {})
      return backline.messageTemplates.render(template.id, { conversation_id: conversation.id, variables })
    },
    onSuccess(rendered, { template }) {
      setAsked(null)
      onText(rendered.body, rendered.body_format === 'markdown', template.id)
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
  const dialog = asked && (
    <Variables
      asked={asked}
      isPending={render.isPending}
      onClose={() => setAsked(null)}
      onRender={(values) => render.mutate({ template: asked.template, values })}
    />
  )
  return { use: (template: MessageTemplate) => render.mutate({ template, values: {} }), dialog }
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
