import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import type { Faults } from '../../data/faults.ts'
import { useAll } from '../../data/lists.ts'
import { Fault, Select } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { type Inputs, inputsOf } from '../../forms/inputs.ts'
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
  faults: Faults
  onChange(patch: Partial<FaqFields>): void
  preview: ReactNode
}

export function useFaqLabels(): Record<keyof FaqFields, string> {
  const text = useTexts(texts)
  return {
    question: text.question,
    answer: text.answer,
    locale: text.language,
    category_id: text.category,
    kb_article_id: text.article,
    tags: text.tags,
  }
}

/** Question and answer, with the preview and the details beside them. */
export function FaqForm({ fields, faults, onChange, preview }: FaqFormProps) {
  const text = useTexts(texts)
  const labels = useFaqLabels()
  const [tab, setTab] = useState<TabName>('preview')
  return (
    <div className={styles.columns}>
      <div className={styles.write}>
        <input
          className={styles.title}
          aria-label={text.question}
          aria-invalid={Boolean(faults.at('/question'))}
          placeholder={text.question}
          maxLength={500}
          dir="auto"
          value={fields.question}
          onChange={(event) => onChange({ question: event.target.value })}
        />
        <Fault>{faults.at('/question')}</Fault>
        <MarkdownField
          label={text.answer}
          placeholder={text.answerHint}
          maxLength={maxAnswer}
          value={fields.answer}
          error={faults.at('/answer')}
          onChange={(answer) => onChange({ answer })}
        />
      </div>
      <div className={styles.side}>
        <Tabs<TabName>
          chosen={tab}
          onSelect={setTab}
          tabs={[
            { name: 'preview', label: text.preview, content: preview },
            {
              name: 'details',
              label: text.details,
              content: <FaqDetails {...inputsOf({ draft: fields, labels, faults, set: onChange })} />,
            },
          ]}
        />
      </div>
    </div>
  )
}

function FaqDetails({ field, select }: Inputs<FaqFields>) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const { backline } = useEnvironment()
  const categories = useAll(['categories'], () => backline.categories.list({ limit: 100 })).data ?? []
  const { articles } = useArticles()
  const byTitle = [...articles].sort((a, b) => (a.title ?? '').localeCompare(b.title ?? ''))
  return (
    <Stack gap={4}>
      <Select
        {...select('kb_article_id')}
        empty={text.noArticle}
        options={byTitle.map(({ id, title, locale }) => ({
          value: id,
          label: `${title ?? shared.untitled} (${locale})`,
        }))}
      />
      <Select
        {...select('category_id')}
        empty={text.noCategory}
        options={categories.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TagsField {...field('tags')} />
      <LocaleField {...field('locale')} />
    </Stack>
  )
}
