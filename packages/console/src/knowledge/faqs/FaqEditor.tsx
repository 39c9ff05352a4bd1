import type { Faq, UpdateFaqBody } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { faqsKey } from '../shared/faqs.ts'
import { storeIn } from '../shared/stored.ts'
import { useAutosave } from '../shared/use-autosave.tsx'
import styles from '../shared/Workbench.module.css'
import { FaqForm, useFaqLabels } from './FaqForm.tsx'
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
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  const { backline } = environment
  const { id } = faq
  const edit = useAutosave<Faq, FaqFields>(
    {
      item: faq,
      fieldsOf,
      write: (patch, options) => backline.faqs.update(id, patch, options),
      read: () => backline.faqs.retrieve(id),
      store: storeIn(unsentKey(environment, id)),
      isAutomatic: (now) => stateOf(now) !== 'published',
    },
    { labels: useFaqLabels(), valueText: (_, value) => String(value ?? '') },
  )
  const { autosave, snapshot, run, isBusy } = edit
  const { item, fields, phase } = snapshot
  const [asked, setAsked] = useState<'archive' | 'delete' | null>(null)
  useEffect(() => {
    cache.setQueryData<Faq[]>(faqsKey, (known) =>
      known?.map((each) => (each.id === item.id && each.version < item.version ? item : each)),
    )
  }, [cache, item])
  const save = () => run(() => autosave.save())
  const update = (body: UpdateFaqBody) =>
    run(async () => {
      await autosave.perform((_, options) => backline.faqs.update(id, body, options))
      setAsked(null)
    })
  const remove = () =>
    run(async () => {
      await backline.faqs.delete(id)
      autosave.discard()
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
      isWaiting && { label: text.discard, icon: 'history', onSelect: () => autosave.discard() },
      state === 'published' && {
        label: text.unpublish,
        icon: 'pause',
        onSelect: () => void update({ status: 'draft' }),
      },
      state === 'archived'
        ? { label: text.unarchive, icon: 'folder', onSelect: () => void update({ archived: false }) }
        : { label: text.archive, icon: 'folder', onSelect: () => setAsked('archive') },
      { label: text.delete, icon: 'trash', isDangerous: true, onSelect: () => setAsked('delete') },
    ],
  ]
  return (
    <div className={styles.page}>
      <FaqHeader faq={item}>
        {edit.state}
        <Row as="span">
          {state === 'draft' && (
            <Button
              variant="primary"
              disabled={isBusy || phase === 'conflict'}
              onClick={() => void update({ status: 'published' })}
            >
              {text.publish}
            </Button>
          )}
          {state === 'published' && (
            <Button
              variant="primary"
              disabled={isBusy || !isWaiting || phase === 'conflict'}
              onClick={() => void save()}
            >
              {text.save}
            </Button>
          )}
          <Menu
            trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
            groups={groups.map((items) => items.filter((each) => each !== false))}
          />
        </Row>
      </FaqHeader>
      <FaqForm
        fields={fields}
        faults={autosave.faults}
        onChange={(patch) => autosave.change(patch)}
        preview={<FaqPreview fields={fields} faq={item} note={isWaiting ? text.notShownYet : undefined} />}
      />
      {asked && (
        <ActionDialog
          title={asked === 'archive' ? text.archiveTitle : text.deleteTitle}
          action={text[asked]}
          isDangerous
          isDisabled={isBusy}
          onSubmit={() => void (asked === 'archive' ? update({ archived: true }) : remove())}
          onClose={() => setAsked(null)}
        >
          <p>{asked === 'archive' ? text.archiveHint : text.deleteHint}</p>
        </ActionDialog>
      )}
      {edit.dialog}
    </div>
  )
}
