import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import type { TSchema } from '../../../platform/resource/schema.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import { createMacro, updateMacro } from '../../automation/macros/actions.ts'
import { macros } from '../../automation/macros/entity.ts'
import { MacroPatch, NewMacro } from '../../automation/macros/schema.ts'
import { createCategory, updateCategory } from '../../catalogue/categories/actions.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { CategoryPatch, NewCategory } from '../../catalogue/categories/schema.ts'
import { createTag, updateTag } from '../../catalogue/tags/actions.ts'
import { tags } from '../../catalogue/tags/entity.ts'
import { findTagByName } from '../../catalogue/tags/queries.ts'
import { NewTag, TagPatch } from '../../catalogue/tags/schema.ts'
import { createFaq, updateFaq } from '../../knowledge/faqs/actions.ts'
import { faqs } from '../../knowledge/faqs/entity.ts'
import { FaqPatch, NewFaq } from '../../knowledge/faqs/schema.ts'
import { createCollection, updateCollection } from '../../knowledge/kb/collections/actions.ts'
import { collections } from '../../knowledge/kb/collections/entity.ts'
import { CollectionPatch, NewCollection } from '../../knowledge/kb/collections/schema.ts'
import { createCompany, updateCompany } from '../../people/companies/actions.ts'
import { companies } from '../../people/companies/entity.ts'
import { CompanyPatch, NewCompany } from '../../people/companies/schema.ts'
import { createEndUser, updateEndUser } from '../../people/end-users/actions.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { EndUserPatch, NewEndUser } from '../../people/end-users/schema.ts'
import { createDepartment, updateDepartment } from '../../team/departments/actions.ts'
import { departments } from '../../team/departments/entity.ts'
import { DepartmentPatch, NewDepartment } from '../../team/departments/schema.ts'
import { createOperator, updateOperator } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import { findOperatorByEmail } from '../../team/operators/queries.ts'
import { NewOperator, OperatorPatch } from '../../team/operators/schema.ts'
import { articlesOfLines } from './articles.ts'
import type { SimpleType } from './params.ts'
import { findCategoryByName, findCollectionByName, findDepartmentByName } from './queries.ts'
import type { ReferenceTypes } from './translating.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schema has checked it
type Input = any
type Found = Promise<{ id: string } | null>

/** A type whose lines become objects by the actions of requests. */
export type Simple = {
  entity: Entity<ResourceRow>
  /** The schemas of a new object and of a patch, as requests have them. */
  created: TSchema
  patched: TSchema
  create(change: Change, input: Input): Promise<ResourceRow> | ResourceRow
  update(change: Change, id: string, patch: Input): Promise<ResourceRow>
  /** Finds an object that stands for a new one, by its name or address. */
  adopt?(change: Change, input: Input): Found
  /** Whether the object shows the external id. */
  showsExternalId: boolean
  references: ReferenceTypes
}

/** Gives one type the form of all. */
const simple = <Row extends ResourceRow>(type: Omit<Simple, 'entity'> & { entity: Entity<Row> }): Simple =>
  type as unknown as Simple

export const simples: { [Type in SimpleType]: Simple } = {
  operator: simple({
    entity: operators,
    created: NewOperator,
    patched: OperatorPatch,
    create: createOperator,
    update: updateOperator,
    adopt: ({ db, tenantId }, { email }) => findOperatorByEmail(db, tenantId, email),
    showsExternalId: true,
    references: {},
  }),
  company: simple({
    entity: companies,
    created: NewCompany,
    patched: CompanyPatch,
    create: createCompany,
    update: updateCompany,
    showsExternalId: true,
    references: {},
  }),
  tag: simple({
    entity: tags,
    created: NewTag,
    patched: TagPatch,
    create: createTag,
    update: updateTag,
    adopt: ({ db, tenantId }, { name }) => findTagByName(db, tenantId, name),
    showsExternalId: false,
    references: {},
  }),
  department: simple({
    entity: departments,
    created: NewDepartment,
    patched: DepartmentPatch,
    create: createDepartment,
    update: updateDepartment,
    adopt: ({ db, tenantId }, { name }) => findDepartmentByName(db, tenantId, name),
    showsExternalId: false,
    references: { fallback_department: 'department' },
  }),
  category: simple({
    entity: categories,
    created: NewCategory,
    patched: CategoryPatch,
    create: createCategory,
    update: updateCategory,
    adopt: ({ db, tenantId }, { parent_id, name }) =>
      findCategoryByName(db, tenantId, uuidIn('cat', parent_id), name),
    showsExternalId: false,
    references: { parent: 'category', default_department: 'department' },
  }),
  end_user: simple({
    entity: endUsers,
    created: NewEndUser,
    patched: EndUserPatch,
    create: createEndUser,
    update: updateEndUser,
    showsExternalId: true,
    references: { company: 'company' },
  }),
  kb_collection: simple({
    entity: collections,
    created: NewCollection,
    patched: CollectionPatch,
    create: createCollection,
    update: updateCollection,
    adopt: ({ db, tenantId }, { parent_id, name }) =>
      findCollectionByName(db, tenantId, uuidIn('kbc', parent_id), name),
    showsExternalId: false,
    references: { parent: 'kb_collection' },
  }),
  macro: simple({
    entity: macros,
    created: NewMacro,
    patched: MacroPatch,
    create: createMacro,
    update: updateMacro,
    showsExternalId: false,
    references: { department: 'department', category: 'category', operator: 'operator' },
  }),
  kb_article: simple(articlesOfLines),
  faq: simple({
    entity: faqs,
    created: NewFaq,
    patched: FaqPatch,
    create: createFaq,
    update: updateFaq,
    showsExternalId: false,
    references: { category: 'category', kb_article: 'kb_article' },
  }),
}

function uuidIn(prefix: string, id: string | null | undefined): string | null {
  return id == null ? null : uuidOf(prefix, id)
}

/** The id of an object as requests name it. */
export const idOf = (type: SimpleType, id: string): string => typeId(simples[type].entity.prefix, id)
