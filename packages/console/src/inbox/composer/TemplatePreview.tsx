import { ApiError, type Conversation } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useSettled } from '../../data/settled.ts'
import { Quiet } from '../../design/Layout.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Composer.module.css'
import { texts } from './texts.ts'

/** The text of a template as it would be inserted, or which values it asks for. */
export function TemplatePreview({ id, conversation }: { id: string; conversation: Conversation }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const settled = useSettled(id)
  const { data, error } = useQuery({
    queryKey: ['message_templates', id, 'text', conversation.id, conversation.version],
    enabled: settled === id,
    queryFn: ({ signal }) =>
      backline.messageTemplates.render(id, { conversation_id: conversation.id }, { signal }),
  })
  if (data)
    return (
      <p className={styles.rendered} dir="auto">
        {data.body}
      </p>
    )
  const missing =
    error instanceof ApiError && error.code === 'template_variable_missing'
      ? (error.params.variables as string[])
      : null
  return <Quiet as="p">{missing ? text.asksFor(missing.join(', ')) : error ? reasonOf(error) : '…'}</Quiet>
}
