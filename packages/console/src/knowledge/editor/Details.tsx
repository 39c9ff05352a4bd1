import type { KbArticle } from '@backline/sdk'
import { useOperators } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { LocaleField } from '../shared/LocaleField.tsx'
import { TagsField } from '../shared/TagsField.tsx'
import { PublishedFacts } from './ArticleFacts.tsx'
import type { ArticleFields } from './fields.ts'
import { Translations } from './Translations.tsx'
import { texts } from './texts.ts'

type DetailsProps = {
  article: KbArticle
  fields: ArticleFields
  errorOf(field: keyof ArticleFields): string | undefined
  onChange(patch: Partial<ArticleFields>): void
}

/** Everything about an article but its text. */
export function Details({ article, fields, errorOf, onChange }: DetailsProps) {
  const text = useTexts(texts)
  const operators = useOperators().data ?? []
  return (
    <Stack gap={4}>
      <CollectionSelect
        label={text.collection}
        none={text.noCollection}
        value={fields.collection_id}
        error={errorOf('collection_id')}
        onChange={(collection_id) => onChange({ collection_id })}
      />
      <TextField
        label={text.slug}
        hint={text.slugHint}
        maxLength={100}
        value={fields.slug}
        error={errorOf('slug')}
        onChange={(event) => onChange({ slug: event.target.value })}
      />
      <TextArea
        label={text.excerpt}
        hint={text.excerptHint}
        maxLength={1000}
        rows={2}
        value={fields.excerpt}
        error={errorOf('excerpt')}
        onChange={(event) => onChange({ excerpt: event.target.value })}
      />
      <TagsField value={fields.tags} error={errorOf('tags')} onChange={(tags) => onChange({ tags })} />
      <LocaleField
        value={fields.locale}
        error={errorOf('locale')}
        onChange={(locale) => onChange({ locale })}
      />
      <Select
        label={text.author}
        value={fields.author_id ?? ''}
        error={errorOf('author_id')}
        onChange={(event) => onChange({ author_id: event.target.value || null })}
        options={[
          { value: '', label: text.noAuthor },
          ...operators.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Translations article={article} />
      <PublishedFacts article={article} />
    </Stack>
  )
}
