import type { Conversation } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type Command, useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import type { IconName } from '../../design/Icon.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { patchConversation } from '../model/conversations.ts'
import { useGoing } from '../model/going.ts'
import { texts } from './texts.ts'
import { type ConversationChange, useConversationMutation } from './use-conversation-mutation.ts'
import { useRequiredFields } from './use-required-fields.ts'
import { type Action, useTransitions } from './use-transitions.ts'

/** A popover or dialog of the header. */
export type Opened = 'assign' | 'priority' | 'tags' | 'hold' | 'resolve' | 'merge' | 'close'

export type Offer = {
  label: string
  icon: IconName
  shortcut?: string
  isDangerous?: boolean
  run(): void
}

type Options = {
  conversation: Conversation
  setOpened(opened: Opened): void
  showDetails(): void
}

/** Actions that the server offers, as buttons, as menu items and as commands. */
export function useActions({ conversation, setOpened, showDetails }: Options) {
  const text = useTexts(texts)
  const { backline, operator, can } = useEnvironment()
  const cache = useQueryClient()
  const toast = useToast()
  const mutate = useConversationMutation(conversation)
  const going = useGoing()
  const offered = useTransitions(conversation.id)
  const { id, status } = conversation
  const perform = (change: ConversationChange) => void mutate(change)
  /** One after which there is nothing more to do here: another conversation is opened. */
  const finish = async (change: ConversationChange): Promise<boolean> => {
    const isDone = await mutate({ ...change, onUndone: going.back })
    if (isDone) going.on()
    return isDone
  }

  const required = useRequiredFields(conversation)
  const resolve = (onInvalid: NonNullable<ConversationChange['onInvalid']>) =>
    finish({
      failed: text.resolveFailed,
      done: text.resolvedNow,
      onInvalid,
      optimistic: { status: 'resolved' },
      run: (options) => backline.conversations.resolve(id, {}, options),
    })
  /** A field has become required since the page has read the fields. */
  const askForFields = () => {
    setOpened('resolve')
    void cache.invalidateQueries({ queryKey: ['custom_fields'] })
  }

  const offers: Partial<Record<Action, Offer>> = {
    claim: {
      label: text.claim,
      icon: 'user',
      shortcut: 'c',
      run: () =>
        perform({
          failed: text.claimFailed,
          done: text.claimedNow,
          optimistic: { assignee_id: operator.id, ...(status === 'new' && { status: 'open' }) },
          run: (options) => backline.conversations.claim(id, options),
        }),
    },
    hold: { label: text.hold, icon: 'pause', shortcut: 'h', run: () => setOpened('hold') },
    resume: {
      label: text.resume,
      icon: 'play',
      shortcut: 'u',
      run: () =>
        perform({
          failed: text.resumeFailed,
          done: text.resumedNow,
          optimistic: { status: 'open', hold: null },
          run: (options) => backline.conversations.resume(id, options),
        }),
    },
    resolve: {
      label: text.resolve,
      icon: 'check',
      shortcut: 'e',
      run() {
        if (required.length > 0) setOpened('resolve')
        else void resolve(askForFields)
      },
    },
    reopen: {
      label: text.reopen,
      icon: 'refresh',
      shortcut: 'o',
      run: () =>
        perform({
          failed: text.reopenFailed,
          done: text.reopenedNow,
          optimistic: { status: 'open' },
          run: (options) => backline.conversations.reopen(id, options),
        }),
    },
    merge: { label: text.merge, icon: 'merge', shortcut: 'm', run: () => setOpened('merge') },
    close: { label: text.close, icon: 'close', isDangerous: true, run: () => setOpened('close') },
  }
  const pick = (...actions: Action[]): Offer[] =>
    actions.flatMap((action) => (offered.has(action) && offers[action] ? [offers[action]] : []))
  const isOnHold = status === 'on_hold'
  const main = pick('resolve', 'reopen')
  const beside = pick('claim', 'resume', ...(isOnHold ? [] : ['hold' as const]))
  const rest = pick(...(isOnHold ? ['hold' as const] : []), 'merge', 'close')

  const asCommand = (offer: Offer): Command => ({ ...offer, group: text.conversation })
  const canWrite = can('conversations:write')
  const markUnread = () =>
    void backline.conversations
      .markUnreadForMe(id)
      .then((read_state) => patchConversation(cache, id, (known) => ({ ...known, read_state })))
      .catch((error) => toast.failed({ title: text.markUnreadFailed, detail: reasonOf(error) }))
  useCommands([
    ...[...beside, ...main, ...rest].map(asCommand),
    ...(canWrite
      ? [
          {
            label: text.markUnread,
            icon: 'mail' as const,
            shortcut: 'b',
            group: text.conversation,
            run: markUnread,
          },
        ]
      : []),
    { label: text.details, icon: 'list', shortcut: 'd', group: text.conversation, run: showDetails },
  ])

  return {
    mutate,
    finish,
    offered,
    main,
    beside,
    rest,
    resolve,
    close: () =>
      void finish({ failed: text.closeFailed, run: (options) => backline.conversations.close(id, options) }),
  }
}
