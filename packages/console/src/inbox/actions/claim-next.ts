import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { focusOnOpening } from '../model/opening.ts'
import { texts } from '../texts.ts'

export type ClaimNext = { run(): void; isPending: boolean }

const mutationKey = ['claim_next']

const textOf = {
  waiting: 'waitingTaken',
  due: 'dueTaken',
  priority: 'priorityTaken',
  view: 'viewTaken',
} as const

/** Takes the next conversation, of a saved view or of all, opens it and says why it is the next. One at a time. */
export function useClaimNext(viewId: string | null): ClaimNext {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: async () => backline.conversations.claimNext(viewId ? { view_id: viewId } : {}),
    onError: (error) => toast.failed({ title: text.nextFailed, detail: reasonOf(error) }),
    onSuccess({ order, conversation }) {
      if (!conversation) return void toast.done({ title: text.nobodyWaits })
      toast.done({ title: text.took, detail: text[textOf[order]] })
      focusOnOpening(conversation.id)
      navigate(`/mine/${conversation.id}`)
    },
  })
  return {
    isPending,
    run() {
      if (cache.isMutating({ mutationKey }) === 0) mutate()
    },
  }
}
