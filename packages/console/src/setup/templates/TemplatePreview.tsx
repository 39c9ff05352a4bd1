import { ApiError, type Conversation, type MessageTemplate } from '@backline/sdk'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useSettled } from '../../data/settled.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { Notice, Row, Stack } from '../../design/Layout.tsx'
import { Loading } from '../../design/States.tsx'
import { Tag } from '../../design/Tag.tsx'
import { ConversationPicker } from '../../forms/ConversationPicker.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { ownNames } from './variables.ts'

/** Renders the stored template for a conversation, and says which values it needs. */
export function TemplatePreview({ template }: { template: MessageTemplate }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [conversation, setConversation] = useState<Conversation | null>(null)
  const [values, setValues] = useState<Record<string, string>>({})
  const [locale, setLocale] = useState('')
  const own = ownNames(template.variables)
  const given = useSettled(values)
  const variables = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => own.includes(name) && value !== ''),
  )
  const result = useQuery({
    queryKey: [
      'message_templates',
      template.id,
      'render',
      template.version,
      conversation?.id,
      variables,
      locale,
    ],
    queryFn: conversation
      ? () =>
          backline.messageTemplates.render(template.id, {
            conversation_id: conversation.id,
            variables,
            ...(locale && { locale }),
          })
      : skipToken,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      {template.variables.length === 0 ? (
        <p>{text.usesNone}</p>
      ) : (
        <Stack gap={1}>
          <p>{text.uses}</p>
          <Row as="ul" gap={1} wraps>
            {template.variables.map((path) => (
              <li key={path}>
                <Tag name={<code>{path}</code>} />
                {own.includes(path.split(/[.[]/)[0]!) && <small> {text.own}</small>}
              </li>
            ))}
          </Row>
        </Stack>
      )}
      <ConversationPicker chosen={conversation} onSelect={setConversation} />
      {conversation && (own.length > 0 || template.variants.length > 0) && (
        <FieldRow>
          {template.variants.length > 0 && (
            <Select
              label={text.language}
              empty={text.usual}
              options={[template.locale, ...template.variants.map((variant) => variant.locale)]
                .filter((each) => each !== null)
                .map((each) => ({ value: each, label: each }))}
              value={locale}
              onChange={(event) => setLocale(event.target.value)}
            />
          )}
          {own.map((name) => (
            <TextField
              key={name}
              label={name}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
        </FieldRow>
      )}
      {conversation && own.length > 0 && <small>{text.ownHint}</small>}
      <div aria-live="polite">
        {conversation && result.isPending && <Loading lines={3} />}
        {conversation && result.isError && <Missing error={result.error} />}
        {conversation && result.data && !result.isError && (
          <Notice as="blockquote" tone="info" lang={result.data.locale ?? undefined}>
            {result.data.body}
          </Notice>
        )}
      </div>
    </>
  )
}

/** The variables without a value, or another reason why nothing can be rendered. */
function Missing({ error }: { error: Error }) {
  const text = useTexts(texts)
  const names = error instanceof ApiError ? error.params.variables : undefined
  if (!Array.isArray(names)) return <Notice tone="bad">{reasonOf(error)}</Notice>
  return (
    <Notice tone="bad">
      <p>{text.missing}</p>
      <ul>
        {names.map((name) => (
          <li key={String(name)}>
            <code>{String(name)}</code>
          </li>
        ))}
      </ul>
      <p>{text.missingHint}</p>
    </Notice>
  )
}
