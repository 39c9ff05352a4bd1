import type { KbArticle } from '@backline/sdk'
import { useEffect, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { Fault } from '../../design/Field.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useToast } from '../../design/Toast.tsx'
import { isEqual } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { useKeepArticle } from '../shared/articles.ts'
import { ConflictDialog } from '../shared/ConflictDialog.tsx'
import { useCollections } from '../shared/collections.ts'
import { MarkdownField } from '../shared/MarkdownField.tsx'
import { SaveState } from '../shared/SaveState.tsx'
import { storeIn } from '../shared/stored.ts'
import { texts as sharedTexts } from '../shared/texts.ts'
import { useDraft } from '../shared/use-draft.ts'
import styles from '../shared/Workbench.module.css'
import { ArticleActions } from './ArticleActions.tsx'
import { Details } from './Details.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { type ArticleFields, fieldsOf, patchOf } from './fields.ts'
import { History } from './History.tsx'
import { Preview } from './Preview.tsx'
import { texts } from './texts.ts'

const maxBody = 512 * 1024

type TabName = 'preview' | 'details' | 'history'

/** The draft of an article: text, preview, details. What is written is saved by itself. */
export function Editor({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const toast = useToast()
  const environment = useEnvironment()
  const { backline } = environment
  const keep = useKeepArticle()
  const { id } = article
  const [draft, snapshot] = useDraft<KbArticle, ArticleFields>({
    item: article,
    fieldsOf,
    write: (patch, version) =>
      backline.kb.articles.update(id, patchOf(patch), { ifMatch: `"${version}"` }).then((saved) => saved),
    read: () => backline.kb.articles.retrieve(id).then((found) => found),
    store: storeIn(unsentKey(environment, id)),
    isAutomatic: () => true,
  })
  const { item, fields, refusals, conflicts, phase, wasRestored } = snapshot
  const [tab, setTab] = useState<TabName>('preview')
  const [isUploading, setUploading] = useState(false)
  const [isComparing, setComparing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: The cache takes each new version once.
  useEffect(() => keep(item), [item])
  // biome-ignore lint/correctness/useExhaustiveDependencies: The message is shown once.
  useEffect(() => {
    if (wasRestored) toast.done({ title: shared.kept })
  }, [wasRestored])
  useEffect(() => {
    if (phase === 'conflict') setComparing(true)
  }, [phase])
  useCommands([
    {
      label: text.saveNow,
      group: text.article,
      shortcut: 'mod s',
      run: () => void draft.save().catch(() => undefined), // the header says that it failed
    },
  ])
  const errorOf = (field: keyof ArticleFields): string | undefined => {
    const refusal = refusals[field]
    return refusal && isEqual(refusal.value, fields[field]) ? refusal.reason : undefined
  }
  const told = useToldFields()
  return (
    <div className={styles.page}>
      <EditorHeader article={item}>
        <SaveState snapshot={snapshot} onCompare={() => setComparing(true)} />
        <ArticleActions draft={draft} snapshot={snapshot} isUploading={isUploading} />
      </EditorHeader>
      <div className={styles.columns}>
        <div className={styles.write}>
          <input
            className={styles.title}
            aria-label={text.title}
            aria-invalid={Boolean(errorOf('title'))}
            placeholder={text.title}
            maxLength={255}
            dir="auto"
            value={fields.title}
            onChange={(event) => draft.change({ title: event.target.value })}
          />
          <Fault>{errorOf('title')}</Fault>
          <MarkdownField
            label={text.text}
            placeholder={text.bodyHint}
            maxLength={maxBody}
            value={fields.body}
            error={errorOf('body')}
            onChange={(body) => draft.change({ body })}
            onUploading={setUploading}
          />
        </div>
        <div className={styles.side}>
          <Tabs<TabName>
            chosen={tab}
            onChoose={setTab}
            tabs={[
              {
                name: 'preview',
                label: text.preview,
                content: <Preview article={item} title={fields.title} body={fields.body} />,
              },
              {
                name: 'details',
                label: text.details,
                content: (
                  <Details
                    article={item}
                    fields={fields}
                    errorOf={errorOf}
                    onChange={(patch) => draft.change(patch)}
                  />
                ),
              },
              { name: 'history', label: text.history, content: <History article={item} /> },
            ]}
          />
        </div>
      </div>
      <ConflictDialog
        isOpen={isComparing && phase === 'conflict'}
        onClose={() => setComparing(false)}
        conflicts={conflicts.map((field) => ({
          name: field,
          label: told.label[field],
          mine: told.value(field, fields[field]),
          theirs: told.value(field, fieldsOf(item)[field]),
        }))}
        onResolve={(mine) => {
          setComparing(false)
          draft.resolve(mine as ReadonlySet<keyof ArticleFields>)
        }}
      />
    </div>
  )
}

/** The names and values of fields in words. */
function useToldFields() {
  const text = useTexts(texts)
  const collections = useCollections().data ?? []
  const operators = useOperators().data ?? []
  const label: Record<keyof ArticleFields, string> = {
    title: text.title,
    slug: text.slug,
    excerpt: text.excerpt,
    body: text.text,
    collection_id: text.collection,
    locale: text.language,
    author_id: text.author,
    tags: text.tags,
  }
  const value = (field: keyof ArticleFields, raw: ArticleFields[keyof ArticleFields]): string => {
    if (Array.isArray(raw)) return raw.join(', ')
    if (field === 'collection_id') return collections.find(({ id }) => id === raw)?.name ?? ''
    if (field === 'author_id') return operators.find(({ id }) => id === raw)?.name ?? ''
    return raw ?? ''
  }
  return { label, value }
}
