import type { KbArticle } from '@backline/sdk'
import { useEffect, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { Fault } from '../../design/Field.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { inputsOf } from '../../forms/inputs.ts'
import { useTexts } from '../../texts/language.tsx'
import { useKeepArticle } from '../shared/articles.ts'
import { useCollections } from '../shared/collections.ts'
import { MarkdownField } from '../shared/MarkdownField.tsx'
import { storeIn } from '../shared/stored.ts'
import { useAutosave } from '../shared/use-autosave.tsx'
import styles from '../shared/Workbench.module.css'
import { ArticleActions } from './ArticleActions.tsx'
import { Details } from './Details.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { type ArticleFields, fieldsOf, patchOf } from './fields.ts'
import { History } from './History.tsx'
import { Preview } from './Preview.tsx'
import { texts } from './texts.ts'
import { useArticleLabels } from './use-article-labels.ts'

const maxBody = 512 * 1024

type TabName = 'preview' | 'details' | 'history'

/** The draft of an article: text, preview, details. What is written is saved by itself. */
export function Editor({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const environment = useEnvironment()
  const { backline } = environment
  const keep = useKeepArticle()
  const { id } = article
  const told = useToldFields()
  const edit = useAutosave<KbArticle, ArticleFields>(
    {
      item: article,
      fieldsOf,
      write: (patch, options) => backline.kb.articles.update(id, patchOf(patch), options),
      read: () => backline.kb.articles.retrieve(id),
      store: storeIn(unsentKey(environment, id)),
      isAutomatic: () => true,
    },
    told,
  )
  const { autosave, snapshot, state, dialog } = edit
  const { item, fields } = snapshot
  const { faults } = autosave
  const [tab, setTab] = useState<TabName>('preview')
  const [isUploading, setUploading] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: The cache takes each new version once.
  useEffect(() => keep(item), [item])
  useCommands([
    {
      label: text.saveNow,
      group: text.article,
      shortcut: 'mod s',
      run: () => void autosave.save().catch(() => undefined), // the header says that it failed
    },
  ])
  return (
    <div className={styles.page}>
      <EditorHeader article={item}>
        {state}
        <ArticleActions edit={edit} isUploading={isUploading} />
      </EditorHeader>
      <div className={styles.columns}>
        <div className={styles.write}>
          <input
            className={styles.title}
            aria-label={text.title}
            aria-invalid={Boolean(faults.at('/title'))}
            placeholder={text.title}
            maxLength={255}
            dir="auto"
            value={fields.title}
            onChange={(event) => autosave.change({ title: event.target.value })}
          />
          <Fault>{faults.at('/title')}</Fault>
          <MarkdownField
            label={text.text}
            placeholder={text.bodyHint}
            maxLength={maxBody}
            value={fields.body}
            error={faults.at('/body')}
            onChange={(body) => autosave.change({ body })}
            onUploading={setUploading}
          />
        </div>
        <div className={styles.side}>
          <Tabs<TabName>
            chosen={tab}
            onSelect={setTab}
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
                    inputs={inputsOf({
                      draft: fields,
                      labels: told.labels,
                      faults,
                      set: (patch) => autosave.change(patch),
                    })}
                  />
                ),
              },
              { name: 'history', label: text.history, content: <History article={item} /> },
            ]}
          />
        </div>
      </div>
      {dialog}
    </div>
  )
}

/** The names and values of fields in words. */
function useToldFields() {
  const collections = useCollections().data ?? []
  const operators = useOperators().data ?? []
  const labels = useArticleLabels()
  const valueText = (field: keyof ArticleFields, raw: ArticleFields[keyof ArticleFields]): string => {
    if (Array.isArray(raw)) return raw.join(', ')
    if (field === 'collection_id') return collections.find(({ id }) => id === raw)?.name ?? ''
    if (field === 'author_id') return operators.find(({ id }) => id === raw)?.name ?? ''
    return raw ?? ''
  }
  return { labels, valueText }
}
