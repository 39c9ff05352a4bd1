import type { Category } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CategoryForm } from './CategoryForm.tsx'
import { CategoryTree } from './CategoryTree.tsx'
import type { CategoryDraft } from './draft.ts'
import { texts } from './texts.ts'

export function Categories() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const [parentId, setParentId] = useState<string | null>(null)
  const resource: ResourceDescriptor<Category, CategoryDraft> = {
    path: 'categories',
    scope: 'categories:write',
    icon: 'list',
    api: backline.categories,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ path, description }) => `${path.join(' ')} ${description ?? ''}`,
    columns: [{ name: 'name', label: text.name, cell: ({ name }) => name }],
    draftOf: (category) => ({
      name: category?.name ?? '',
      parent_id: category ? category.parent_id : parentId,
      description: category?.description ?? '',
      default_department_id: category?.default_department_id ?? null,
      default_priority: category?.default_priority ?? null,
      public: category?.public ?? false,
    }),
    bodyOf: (draft) => ({ ...draft, description: textOrNull(draft.description) }),
    labels: {
      name: text.name,
      parent_id: text.parent,
      description: text.description,
      default_department_id: text.department,
      default_priority: text.priority,
      public: text.isPublic,
    },
    form: CategoryForm,
    actionsOf: (category) => [
      {
        label: text.addBelow,
        icon: 'plus',
        onSelect() {
          setParentId(category.id)
          navigate('/categories/new')
        },
      },
    ],
  }
  return (
    <ResourcePage resource={resource} onCreate={() => setParentId(null)}>
      {(found, open, menuOf) => <CategoryTree found={found} onOpen={open} menuOf={menuOf} />}
    </ResourcePage>
  )
}
