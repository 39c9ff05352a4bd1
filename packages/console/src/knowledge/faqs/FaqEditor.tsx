import { type Faq, PreconditionFailedError, type UpdateFaqBody } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Confirm } from '../../design/Confirm.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { useToast } from '../../design/Toast.tsx'
import { isEqual } from '../../forms/changes.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { ConflictDialog } from '../shared/ConflictDialog.tsx'
import { faqsKey } from '../shared/faqs.ts'
import { SaveState } from '../shared/SaveState.tsx'
import { storeIn } from '../shared/stored.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import { useDraft } from '../shared/use-draft.ts'
import styles from '../shared/Workbench.module.css'
import { FaqForm } from './FaqForm.tsx'
import { FaqHeader } from './FaqHeader.tsx'
import { FaqPreview } from './FaqPreview.tsx'
import { type FaqFields, fieldsOf } from './fields.ts'
import { stateOf } from './states.ts'
import { texts } from './texts.ts'

/**
 * A question and its answer. What is written in a draft is saved by itself. A published one has no draft: readers see
 * each change at once, so it waits for a click.
 */
export function FaqEditor({ faq }: { faq: Faq }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const toast = useToast()
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  const { backline } = environment
  const { id } = faq
  const [draft, snapshot] = useDraft<Faq, FaqFields>({
    item: faq,
    fieldsOf,
    write: async (patch, version) => backline.faqs.update(id, patch, { ifMatch: `"${version}"` }),
    read: async () => backline.faqs.retrieve(id),
    store: storeIn(unsentKey(environment, id)),
    isAutomatic: (now) => stateOf(now) !== 'published',
  })
  const { item, fields, refusals, conflicts, phase, wasRestored } = snapshot
  const [asked, setAsked] = useState<'archive' | 'delete' | null>(null)
  const [isComparing, setComparing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    cache.setQueryData<Faq[]>(faqsKey, (known) =>
      known?.map((each) => (each.id === item.id && each.version < item.version ? item : each)),
    )
  }, [cache, item])
  // biome-ignore lint/correctness/useExhaustiveDependencies: The message is shown once.
  useEffect(() => {
    if (wasRestored) toast.done({ title: shared.kept })
  }, [wasRestored])
  useEffect(() => {
    if (phase === 'conflict') setComparing(true)
  }, [phase])

  async function attempt(act: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await act()
      setAsked(null)
    } catch (error) {
      if (error instanceof PreconditionFailedError)
        await backline.faqs.retrieve(id).then(
          (found) => draft.receive(found),
          () => undefined,
        )
      const now = draft.snapshot()
      const isRefused = now.phase === 'failed' && Object.keys(now.refusals).length > 0
      if (now.phase !== 'conflict')
        toast.failed({ title: text.failed, detail: isRefused ? text.fixFirst : reasonOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const save = () => attempt(() => draft.save())
  const update = (body: UpdateFaqBody) =>
    attempt(async () => {
      const saved = await draft.save()
      draft.receive(await backline.faqs.update(id, body, { ifMatch: `"${saved.version}"` }))
    })
  const remove = () =>
    attempt(async () => {
      await backline.faqs.delete(id)
      draft.discard()
      navigate('/faqs')
      await cache.invalidateQueries({ queryKey: faqsKey })
    })
  const state = stateOf(item)
  const isWaiting = state === 'published' && phase !== 'saved'
  useCommands([
    { label: text.saveNow, group: text.faq, shortcut: 'mod s', run: () => void save() },
    ...(state === 'draft'
      ? [{ label: text.publish, group: text.faq, run: () => void update({ status: 'published' }) }]
      : []),
  ])
  const groups: (MenuItem | false)[][] = [
    [
      isWaiting && { label: text.discard, icon: 'history', onChoose: () => draft.discard() },
      state === 'published' && {
        label: text.unpublish,
        icon: 'pause',
        onChoose: () => void update({ status: 'draft' }),
      },
      state === 'archived'
        ? { label: text.unarchive, icon: 'folder', onChoose: () => void update({ archived: false }) }
        : { label: text.archive, icon: 'folder', onChoose: () => setAsked('archive') },
      { label: text.delete, icon: 'trash', isDangerous: true, onChoose: () => setAsked('delete') },
    ],
  ]
  const labels: Record<keyof FaqFields, string> = {
    question: text.question,
    answer: text.answer,
    locale: text.language,
    category_id: text.category,
    kb_article_id: text.article,
    tags: text.tags,
  }
  return (
    <div className={styles.page}>
      <FaqHeader faq={item}>
        <SaveState snapshot={snapshot} onCompare={() => setComparing(true)} />
        <Row as="span">
          {state === 'draft' && (
            <Button
              look="primary"
              disabled={isBusy || phase === 'conflict'}
              onClick={() => void update({ status: 'published' })}
            >
              {text.publish}
            </Button>
          )}
          {state === 'published' && (
            <Button
              look="primary"
              disabled={isBusy || !isWaiting || phase === 'conflict'}
              onClick={() => void save()}
            >
              {text.save}
            </Button>
          )}
          <Menu
            trigger={<IconButton icon="more" look="normal" label={text.moreActions} />}
            groups={groups.map((items) => items.filter((each) => each !== false))}
          />
        </Row>
      </FaqHeader>
      <FaqForm
        fields={fields}
        errorOf={(field) => {
          const refusal = refusals[field]
          return refusal && isEqual(refusal.value, fields[field]) ? refusal.reason : undefined
        }}
        onChange={(patch) => draft.change(patch)}
        preview={<FaqPreview fields={fields} faq={item} note={isWaiting ? text.notShownYet : undefined} />}
      />
      {asked && (
        <Confirm
          isOpen
          title={asked === 'archive' ? text.archiveTitle : text.deleteTitle}
          action={text[asked]}
          isDangerous
          isBusy={isBusy}
          onConfirm={() => void (asked === 'archive' ? update({ archived: true }) : remove())}
          onClose={() => setAsked(null)}
        >
          <p>{asked === 'archive' ? text.archiveHint : text.deleteHint}</p>
        </Confirm>
      )}
      <ConflictDialog
        isOpen={isComparing && phase === 'conflict'}
        onClose={() => setComparing(false)}
        conflicts={conflicts.map((field) => ({
          name: field,
          label: labels[field],
          mine: String(fields[field] ?? ''),
          theirs: String(fieldsOf(item)[field] ?? ''),
        }))}
        onResolve={(mine) => {
          setComparing(false)
          draft.resolve(mine as ReadonlySet<keyof FaqFields>)
        }}
      />
    </div>
  )
}
