import type { ReactNode } from 'react'
import type { Versioned } from '../data/conditional-write.ts'
import type { Scope } from '../data/environment.tsx'
import type { Faults } from '../data/faults.ts'
import type { IconName } from '../design/Icon.tsx'
import type { MenuItem } from '../design/Menu.tsx'
import type { Column } from '../design/Table.tsx'
import type { Inputs } from '../forms/inputs.ts'

/** Members of all resources that a form edits. */
export type Resource = Versioned & { id: string; archived?: boolean }

type FormApi<Item> = {
  retrieve(id: string): PromiseLike<Item>
  create(body: never): PromiseLike<Item>
  update(id: string, body: never, options?: { ifMatch: string }): PromiseLike<Item>
  delete(id: string): PromiseLike<unknown>
}

/** The routes that all these resources have, as the SDK offers them. */
export type ResourceApi<Item> = FormApi<Item> & {
  list(query: { limit: number; archived?: 'true' | 'false' }): AsyncIterable<Item>
}

export type FormProps<Item, Draft> = Inputs<Draft> & {
  draft: Draft
  set(change: Partial<Draft>): void
  faults: Faults
  /** Null while a new object is created. */
  item: Item | null
}

export type ArchiveDialogProps<Item> = { item: Item; onClose(): void; onArchived(): void }

/** Describes how an object is created, edited, archived and deleted. */
export type FormDescriptor<Item extends Resource, Draft extends object> = {
  /** The path of the resource, which is its query key. */
  path: string
  api: FormApi<Item>
  texts: {
    create: string
    /** More that a person has to know before a deletion. */
    removeHint?: string
  }
  nameOf(item: Item): string
  /** The fields of the form, named as in the body of requests. */
  draftOf(item: Item | null): Draft
  /** The body of requests, if the form has the values in another shape. @param item what is stored */
  bodyOf?(draft: Draft, item: Item | null): object
  /** The names of the fields as people read them. */
  labels: Record<keyof Draft, string>
  form(props: FormProps<Item, Draft>): ReactNode
  width?: 'normal' | 'wide'
  /** Keeps the panel open after the creation or each time, because there is more to do than the form. */
  staysOpen?: 'created' | 'always'
  /** Shows what only the answer to the creation has, such as a secret. */
  onCreated?(item: Item): void
  /** False if items cannot be archived. */
  hasArchive?: boolean
  /** Asks before an item is archived, and archives it. Without it, an item is archived at once. */
  archiveDialog?(props: ArchiveDialogProps<Item>): ReactNode
  /** A refusal in the words of the form, at the field that causes it. */
  refusalOf?(error: unknown): { pointer: string; detail: string } | null
  /** More that a person can do with an item. */
  actionsOf?(item: Item): MenuItem[]
}

/** Describes a resource: how it is listed, and how it is edited. */
export type ResourceDescriptor<Item extends Resource, Draft extends object> = FormDescriptor<Item, Draft> & {
  /** The scope that permits writes. */
  scope: Scope
  icon: IconName
  api: ResourceApi<Item>
  texts: { title: string; intro: string; emptyHint: string }
  /** The text that the search looks through. */
  searchText(item: Item): string
  columns: Column<Item>[]
  /** Stores another order of the items. */
  reorder?(items: Item[]): Promise<unknown>
}
