import type { Message } from '@backline/sdk'
import { useOperatorNames } from '../../data/configuration.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Notice } from '../../design/Layout.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type AnsweredDialogProps = {
  /** The answers of colleagues, the newest first. */
  answers: Message[]
  onRead(): void
  onSend(): void
}

const mostShown = 3
const mostCharacters = 400

/** Says that colleagues have answered since the text was begun, and asks whether it is still to be sent. */
export function AnsweredDialog({ answers, onRead, onSend }: AnsweredDialogProps) {
  const text = useTexts(texts)
  const { language } = useLanguage()
  const nameOf = useOperatorNames()
  const authorOf = ({ operator_id }: Message) => nameOf(operator_id) ?? text.colleague
  const names = [...new Set(answers.map(authorOf))]
  return (
    <ActionDialog
      title={text.answered(new Intl.ListFormat(language).format(names))}
      action={text.sendAnyway}
      cancel={text.readFirst}
      isDangerous
      onSubmit={onSend}
      onClose={onRead}
    >
      {answers
        .slice(0, mostShown)
        .reverse()
        .map((answer) => (
          <Notice as="blockquote" key={answer.id} tone="info">
            <strong>{authorOf(answer)}</strong>
            <bdi>{answer.body.slice(0, mostCharacters)}</bdi>
          </Notice>
        ))}
    </ActionDialog>
  )
}
