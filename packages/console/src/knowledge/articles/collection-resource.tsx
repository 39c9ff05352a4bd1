import type { KbCollection } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { childrenOf, idsBelow } from '../../data/tree.ts'
import { TextArea, TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { FormDescriptor, FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { collectionsKey, useCollections } from '../shared/collections.ts'
import { texts } from './texts.ts'

type CollectionDraft = { name: string; slug: string; parent_id: string | null; description: string }

/** @param parentId the collection that a new one stands in */
export function useCollectionResource(
  parentId: string | null,
): FormDescriptor<KbCollection, CollectionDraft> {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const all = useCollections().data ?? []
  /** Behind the others that stand in the same collection. */
  const lastPlaceIn = (parent: string | null): number => (childrenOf(all, parent).at(-1)?.position ?? -1) + 1
  return {
    path: collectionsKey[0],
    api: backline.kb.collections,
    texts: { create: text.newCollection, removeHint: text.deleteHint },
    nameOf: ({ name }) => name,
    draftOf: (collection) => ({
      name: collection?.name ?? '',
      slug: collection?.slug ?? '',
      parent_id: collection ? collection.parent_id : parentId,
      description: collection?.description ?? '',
    }),
    bodyOf: ({ slug, description, ...rest }, collection) => ({
      ...rest,
      description: textOrNull(description),
      ...(slug && { slug }),
      ...(!collection && { position: lastPlaceIn(rest.parent_id) }),
    }),
    labels: { name: text.name, slug: text.slug, parent_id: text.parent, description: text.description },
    form: CollectionForm,
  }
}

function CollectionForm({ item, field, input }: FormProps<KbCollection, CollectionDraft>) {
  const text = useTexts(texts)
  const all = useCollections().data ?? []
  return (
    <>
      <TextField {...input('name')} required maxLength={255} />
      <CollectionSelect
        {...field('parent_id')}
        none={text.topLevel}
        {...(item && { without: idsBelow(all, item.id) })}
      />
      <TextField {...input('slug')} hint={text.slugHint} maxLength={100} />
      <TextArea {...input('description')} />
    </>
  )
}
