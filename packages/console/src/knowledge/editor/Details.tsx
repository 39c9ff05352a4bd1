import type { KbArticle } from '@backline/sdk'
import { useOperators } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import type { Inputs } from '../../forms/inputs.ts'
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
  inputs: Inputs<ArticleFields>
}

/** Everything about an article but its text. */
export function Details({ article, inputs: { field, input, select } }: DetailsProps) {
  const text = useTexts(texts)
  const operators = useOperators().data ?? []
  return (
    <Stack gap={4}>
      <CollectionSelect {...field('collection_id')} none={text.noCollection} />
      <TextField {...input('slug')} hint={text.slugHint} maxLength={100} />
      <TextArea {...input('excerpt')} hint={text.excerptHint} maxLength={1000} rows={2} />
      <TagsField {...field('tags')} />
      <LocaleField {...field('locale')} />
      <Select
        {...select('author_id')}
        empty={text.noAuthor}
        options={operators.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Translations article={article} />
      <PublishedFacts article={article} />
    </Stack>
  )
}
