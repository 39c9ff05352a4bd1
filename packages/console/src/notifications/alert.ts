import type { Notification as Notice, Operator } from '@backline/sdk'
import type { Environment } from '../data/environment.tsx'
import { languageOfPage, textsIn } from '../texts/define.ts'
import { showsOnDesktop, useSound } from './choices.ts'
import { isShown } from './shown.ts'
import { playTone } from './tone.ts'
import { aboutOf, includedFor, sentenceOf } from './wording.ts'
import { words } from './words.ts'

/** Several facts that come together make one sound. */
const quietMs = 3_000

let playedAtMs = 0

/**
 * Shows a notification on the desktop and plays the sound, as chosen, unless its conversation is in front.
 * @param shown what this tab shows on the desktop, by the id of the notification
 */
export async function alertOf(
  { id, conversation_id }: Notice,
  { backline, can, name }: Environment,
  shown: Map<string, Notification>,
  onOpen: (notice: Notice) => void,
): Promise<void> {
  if (await isShown(conversation_id)) return
  const notice = await backline.notifications.retrieve(id, { include: includedFor(can) }).catch(() => null)
  if (!notice || notice.read_at !== null) return
  if (useSound.read() === 'on' && Date.now() - playedAtMs > quietMs) {
    playedAtMs = Date.now()
    void playTone()
  }
  if (!showsOnDesktop()) return
  const text = textsIn(words, languageOfPage())
  const operatorId = notice.message?.operator_id ?? notice.actor.operator_id
  const operator: Operator | null = operatorId
    ? await backline.operators.retrieve(operatorId).catch(() => null)
    : null
  const wording = { text, operatorName: () => operator?.name }
  const title = sentenceOf(notice, wording)
  const onDesktop = new Notification(name === 'test' ? `${title} (${name})` : title, {
    tag: id,
    body: aboutOf(notice, wording)?.join('\n') ?? '',
    icon: new URL('icon.svg', document.baseURI).href,
  })
  shown.set(id, onDesktop)
  onDesktop.onclose = () => shown.get(id) === onDesktop && shown.delete(id)
  onDesktop.onclick = () => {
    focus()
    onOpen(notice)
    onDesktop.close()
  }
}
