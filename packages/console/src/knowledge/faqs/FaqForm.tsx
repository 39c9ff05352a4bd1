import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { Fault, Select } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useArticles } from '../shared/articles.ts'
import { LocaleField } from '../shared/LocaleField.tsx'
import { MarkdownField } from '../shared/MarkdownField.tsx'
import { TagsField } from '../shared/TagsField.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from '../shared/Workbench.module.css'
import type { FaqFields } from './fields.ts'
import { texts } from './texts.ts'

const maxAnswer = 65_536

type TabName = 'preview' | 'details'

type FaqFormProps = {
  fields: FaqFields
  errorOf(field: keyof FaqFields): string | undefined
  onChange(patch: Partial<FaqFields>): void
  preview: ReactNode
}

/** Question and answer, with the preview and the details beside them. */
export function FaqForm({ fields, errorOf, onChange, preview }: FaqFormProps) {
  const text = useTexts(texts)
  const [tab, setTab] = useState<TabName>('preview')
  return (
    <div className={styles.columns}>
      <div className={styles.write}>
        <input
          className={styles.title}
          aria-label={text.question}
          aria-invalid={Boolean(errorOf('question'))}
          placeholder={text.question}
          maxLength={500}
          dir="auto"
          value={fields.question}
          onChange={(event) => onChange({ question: event.target.value })}
        />
        <Fault>{errorOf('question')}</Fault>
        <MarkdownField
          label={text.answer}
          placeholder={text.answerHint}
          maxLength={maxAnswer}
          value={fields.answer}
          error={errorOf('answer')}
          onChange={(answer) => onChange({ answer })}
        />
      </div>
      <div className={styles.side}>
        <Tabs<TabName>
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { name: 'preview', label: text.preview, content: preview },
            {
              name: 'details',
              label: text.details,
              content: <FaqDetails fields={fields} errorOf={errorOf} onChange={onChange} />,
            },
          ]}
        />
      </div>
    </div>
  )
}

function FaqDetails({ fields, errorOf, onChange }: Omit<FaqFormProps, 'preview'>) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const { backline } = useEnvironment()
  const categories = useAll(['categories'], () => backline.categories.list({ limit: 100 })).data ?? []
  const { articles } = useArticles()
  const byTitle = [...articles].sort((a, b) => (a.title ?? '').localeCompare(b.title ?? ''))
  return (
    <Stack gap={4}>
      <Select
        label={text.article}
        value={fields.kb_article_id ?? ''}
        error={errorOf('kb_article_id')}
        onChange={(event) => onChange({ kb_article_id: event.target.value || null })}
        options={[
          { value: '', label: text.noArticle },
          ...byTitle.map(({ id, title, locale }) => ({
            value: id,
            label: `${title ?? shared.untitled} (${locale})`,
          })),
        ]}
      />
      <Select
        label={text.category}
        value={fields.category_id ?? ''}
        error={errorOf('category_id')}
        onChange={(event) => onChange({ category_id: event.target.value || null })}
        options={[
          { value: '', label: text.noCategory },
          ...categories.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TagsField value={fields.tags} error={errorOf('tags')} onChange={(tags) => onChange({ tags })} />
      <LocaleField
        value={fields.locale}
        error={errorOf('locale')}
        onChange={(locale) => onChange({ locale })}
      />
    </Stack>
  )
}
