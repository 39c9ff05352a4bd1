import { useState } from 'react'
import { Button, IconButton } from '../../design/Button.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Help } from './articles.ts'
import styles from './Suggestions.module.css'
import { texts } from './texts.ts'

/** The suggestions that a person does not want to see again, by their conversation, until the page is loaded anew. */
const hidden = new Map<string, string>()

type SuggestionsProps = { conversationId: string; helps: Help[]; onInsert(help: Help): void }

/** Articles and FAQs that may answer the end user, one click from the text. */
export function Suggestions({ conversationId, helps, onInsert }: SuggestionsProps) {
  const text = useTexts(texts)
  const ids = helps.map(({ id }) => id).join(' ')
  const [, setHidden] = useState('')
  if (helps.length === 0 || hidden.get(conversationId) === ids) return null
  return (
    <Row gap={1} className={styles.suggestions} role="group" aria-label={text.suggestions}>
      <Icon name="book" />
      <Row as="ul" gap={1} className={styles.list}>
        {helps.map((help) => (
          <li key={help.id}>
            <Button
              isSmall
              className={styles.help}
              title={help.detail || help.title}
              aria-label={text.insertNamed(help.title)}
              onClick={() => onInsert(help)}
            >
              <Truncated>{help.title}</Truncated>
            </Button>
          </li>
        ))}
      </Row>
      <IconButton
        icon="close"
        isSmall
        label={text.hideSuggestions}
        onClick={() => {
          hidden.set(conversationId, ids)
          setHidden(ids)
        }}
      />
    </Row>
  )
}
