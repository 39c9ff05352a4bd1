import type { Conversation } from '@backline/sdk'
import { useEveryOperator } from '../../../data/configuration.ts'
import { Avatar } from '../../../design/Avatar.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { texts as sideTexts } from '../texts.ts'
import { texts } from './texts.ts'

/** The operator who handles the conversation, and why it is this one. */
export function Assignee({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { moment } = useFormats()
  const { data } = useEveryOperator()
  const { assignee_id: id, assignment } = conversation
  if (id === null) return <Quiet>{text.nobody}</Quiet>
  const operator = data?.find((each) => each.id === id) ?? conversation.assignee
  const name = operator?.name ?? (data ? shared.unknown : '…')
  return (
    <Stack gap="half">
      <Row as="span">
        <Avatar name={name} size={18} presence={operator?.status} /> {name}
      </Row>
      {assignment && (
        <small title={moment(assignment.at)}>
          {text[assignment.strategy] ?? assignment.strategy}
          {assignment.strategy !== 'manual' && `: ${assignment.reason}`}
        </small>
      )}
    </Stack>
  )
}
