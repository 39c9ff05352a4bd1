import type { Backline } from '@backline/sdk'
import { useMutation } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { type InverseGroup, inverseGroups } from '../undo/inverse.ts'
import { readResults } from './read-results.ts'
import { type Run, useRuns } from './runs.ts'
import { texts } from './texts.ts'

const mostIds = 10_000

/** Gives the conversations of a run their former values back: a job for each group of values. */
export function useUndo(run: Run) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const { add, remove } = useRuns()
  return useMutation({
    async mutationFn() {
      const groups = await groupsOf(backline, run)
      const jobIds: string[] = []
      for (const { actions, ids } of groups)
        for (let i = 0; i < ids.length; i += mostIds) {
          const selection = { ids: ids.slice(i, i + mostIds) }
          jobIds.push((await backline.bulk.start({ selection, actions })).id)
        }
      return jobIds
    },
    onError: (error) => toast.failed({ title: text.undoFailed, detail: reasonOf(error) }),
    onSuccess(jobIds) {
      remove(run)
      if (jobIds.length === 0) return toast.done({ title: text.nothingToUndo })
      add({ ...run, jobIds, previewId: null, isUndo: true, startedMs: Date.now() })
    },
  })
}

async function groupsOf(backline: Backline, { jobIds, previewId }: Run): Promise<InverseGroup[]> {
  const failed = new Set<string>()
  for (const id of jobIds)
    for (const result of await readResults(backline, id, {}, { status: 'failed' }))
      if (result.id) failed.add(result.id)
  return inverseGroups(await readResults(backline, previewId!), failed)
}
