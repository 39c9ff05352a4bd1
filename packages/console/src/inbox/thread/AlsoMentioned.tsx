import type { Message } from '@backline/sdk'
import { Quiet } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { mentionsIn } from '../model/mentions.ts'
import { texts } from './texts.ts'
import { useMentioned } from './use-mentioned.ts'

/** Those whom a note mentions although its text does not name them: an API client wrote it, or they are renamed. */
export function AlsoMentioned({ message: { body, mentions } }: { message: Message }) {
  const text = useTexts(texts)
  const mentioned = useMentioned(mentions)
  if (mentioned.length === 0) return null
  const named = mentionsIn(body, mentioned, mentions)
  const names = mentioned.flatMap(({ id, name }) => (named.includes(id) ? [] : [name]))
  return names.length > 0 && <Quiet as="small">{text.alsoMentioned(names.join(', '))}</Quiet>
}
