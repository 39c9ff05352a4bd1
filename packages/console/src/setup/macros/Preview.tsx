import { ApiError, type Conversation, type Macro } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  nameIn,
  useCategories,
  useDepartments,
  useEveryOperator,
  useHoldReasons,
} from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { Loading } from '../../design/States.tsx'
import { ConversationPicker } from '../../forms/ConversationPicker.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import type { ActionType } from './actions.ts'
import { texts } from './texts.ts'

/** Shows what the stored macro would do to a conversation. */
export function Preview({ macro }: { macro: Macro }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [conversation, setConversation] = useState<Conversation | null>(null)
  const named = [useCategories().data, useDepartments().data, useEveryOperator().data, useHoldReasons().data]
  const result = useQuery({
    queryKey: ['macros', macro.id, 'preview', macro.version, conversation?.id],
    queryFn: conversation
      ? () => backline.macros.preview(macro.id, { conversation_id: conversation.id })
      : skipToken,
  })
  const words = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return text.empty
    if (Array.isArray(value)) return value.length > 0 ? value.map(words).join(', ') : text.empty
    if (typeof value === 'object')
      return Object.entries(value)
        .filter(([, part]) => part !== null)
        .map(([name, part]) => `${name}: ${words(part)}`)
        .join(', ')
    const known = named.map((list) => nameIn(list, String(value))).find(Boolean)
    return known ?? String(value)
  }
  return (
    <>
      <ConversationPicker
        chosen={conversation}
        onSelect={setConversation}
        filter={
          macro.department_ids.length > 0
            ? { field: 'department_id', op: 'in', value: macro.department_ids }
            : undefined
        }
      />
      <Stack gap={3} aria-live="polite">
        {conversation && result.isPending && <Loading lines={2} />}
        {conversation && result.isError && (
          <Notice tone="bad">
            <Place error={result.error} />
            <p>{reasonOf(result.error)}</p>
          </Notice>
        )}
        {conversation && result.data && (
          <>
            {Object.keys(result.data.changes).length === 0 && result.data.messages.length === 0 && (
              <p>{text.noChanges}</p>
            )}
            <DescriptionList
              items={Object.entries(result.data.changes).map(([name, { from, to }]) => [
                name.replace(/_id$/, '').replaceAll('_', ' '),
                <span key={name}>
                  <Quiet as="s">{words(from)}</Quiet> → <strong>{words(to)}</strong>
                </span>,
              ])}
            />
            {result.data.messages.map(({ id, body, visibility }) => (
              <Notice as="blockquote" key={id} tone={visibility === 'internal' ? 'note' : 'info'}>
                <strong>{visibility === 'internal' ? text.internalNote : text.writes}</strong>
                {body}
              </Notice>
            ))}
          </>
        )}
      </Stack>
    </>
  )
}

/** Names the action that is not possible. */
function Place({ error }: { error: Error }) {
  const text = useTexts(texts)
  const params = error instanceof ApiError ? error.params : undefined
  if (typeof params?.action_index !== 'number') return null
  const type = params.action_type as ActionType
  return <strong>{text.failsAt(params.action_index + 1, text[type] ?? type)}</strong>
}
