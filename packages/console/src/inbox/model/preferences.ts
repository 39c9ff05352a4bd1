import { storedChoice } from '../../browser/stored-choice.ts'

/* How a person likes to work. Each browser has preferences of its own. */

/** The page after a conversation is resolved or put on hold: the next one of the list, the same, or the list. */
export const afterDone = ['next', 'stay', 'list'] as const
type AfterDone = (typeof afterDone)[number]

export const useAfterDone = storedChoice<AfterDone>('backline.after_done', afterDone)

/** Whether a message waits for a moment in which it can be taken back. */
export const useSendDelay = storedChoice<'on' | 'off'>('backline.send_delay', ['on', 'off'])
