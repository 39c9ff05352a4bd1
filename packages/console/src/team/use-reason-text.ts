import { idleReason, silentReason } from '../data/automatic-reasons.ts'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'

/** The reason of a status for people: the console and the server set some by themselves, in English. */
export function useReasonText(): (reason: string | null) => string | null {
  const text = useTexts(texts)
  const known: Record<string, string> = { [idleReason]: text.noInput, [silentReason]: text.noHeartbeat }
  return (reason) => (reason === null ? null : (known[reason] ?? reason))
}
