import type { Conversation } from '@backline/sdk'
import { useId, useState } from 'react'
import { useCommands } from '../../../app/commands.tsx'
import { Fault, TextField } from '../../../design/Field.tsx'
import { Icon } from '../../../design/Icon.tsx'
import { Quiet, Row, Truncated } from '../../../design/Layout.tsx'
import { MultiSelect } from '../../../forms/MultiSelect.tsx'
import { mailTexts } from '../../../mail/texts.ts'
import { useTexts } from '../../../texts/language.tsx'
import { countOf, type MailDraft, mostRecipients, wrongIn } from '../../model/mail-draft.ts'
import { texts } from '../texts.ts'
import styles from './MailFields.module.css'
import { useSuppressed } from './use-suppressed.ts'
import { useUsualRecipients } from './use-usual-recipients.ts'

type MailFieldsProps = {
  conversation: Conversation
  mail: MailDraft | undefined
  /** Somebody writes: then it matters who gets no mail. */
  isWriting: boolean
  onChange(mail: MailDraft | undefined): void
}

const longestAddress = 254

/** To whom a reply goes by mail, in one line, and the fields that change it. */
export function MailFields({ conversation, mail = {}, isWriting, onChange }: MailFieldsProps) {
  const text = useTexts(texts)
  const names = useTexts(mailTexts)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const usual = useUsualRecipients(conversation)
  const shown = { to: mail.to ?? usual.to, cc: mail.to ? (mail.cc ?? []) : usual.cc, bcc: mail.bcc ?? [] }
  const all = [...shown.to, ...shown.cc, ...shown.bcc]
  const suppressed = useSuppressed(all, isWriting || isOpen)
  const wrong = wrongIn(all)
  const isFolded = !isOpen && wrong.length === 0
  useCommands([
    { label: text.changeMail, group: names.conversation, icon: 'mail', run: () => setOpen(!isOpen) },
  ])
  const choose = (change: MailDraft) => onChange({ ...mail, ...change })
  const field = (name: keyof typeof shown) => ({
    label: names[name],
    value: shown[name],
    error: wrongIn(shown[name]).map(text.notAddress).join(' ') || undefined,
    options: [...new Set([...usual.to, ...usual.cc])].map((value) => ({ value, label: value })),
    placeholder: '',
    freeText: { maxLength: longestAddress, most: mostRecipients },
    onChange: (value: string[]) => {
      const list = value.map((each) => each.toLowerCase())
      choose(name === 'bcc' ? { bcc: list } : { to: shown.to, cc: shown.cc, [name]: list })
    },
  })
  return (
    <div className={styles.mail}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={!isFolded}
        aria-controls={id}
        title={text.changeMail}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="mail" size={14} />
        <Truncated>
          {all.length === 0 ? text.noAddress : summaryOf(shown, names)}
          {mail.subject && <Quiet> · {mail.subject}</Quiet>}
        </Truncated>
        <Icon name={isFolded ? 'chevronRight' : 'chevronDown'} size={14} />
      </button>
      <div id={id} hidden={isFolded} className={styles.fields}>
        {!isFolded && (
          <>
            <MultiSelect {...field('to')} />
            <MultiSelect {...field('cc')} />
            <MultiSelect {...field('bcc')} />
            <TextField
              label={names.subject}
              maxLength={255}
              placeholder={text.usualSubject}
              value={mail.subject ?? ''}
              onChange={({ target }) => choose({ subject: target.value })}
            />
            {countOf(shown) > mostRecipients && <Fault>{text.tooMany}</Fault>}
            <Row wraps justify="between">
              <small>{text.joins}</small>
              {Object.keys(mail).length > 0 && (
                <button type="button" className={styles.usual} onClick={() => onChange(undefined)}>
                  {text.asUsual}
                </button>
              )}
            </Row>
          </>
        )}
      </div>
      <div role="status" className={styles.warning}>
        {suppressed.map(text.isSuppressed).join(' ')}
      </div>
    </div>
  )
}

type Kind = 'to' | 'cc' | 'bcc'

/** "To ada@example.net, Cc grace@example.com" */
const summaryOf = (shown: Record<Kind, string[]>, names: Record<Kind, string>): string =>
  (['to', 'cc', 'bcc'] as const)
    .filter((kind) => shown[kind].length > 0)
    .map((kind) => `${names[kind]} ${shown[kind].join(', ')}`)
    .join(' · ')
