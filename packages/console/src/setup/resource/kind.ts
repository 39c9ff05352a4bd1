import type { ReactNode } from 'react'
import type { Scope } from '../../data/environment.tsx'
import type { IconName } from '../../design/Icon.tsx'
import type { Column } from '../../design/Table.tsx'
import type { Faults } from '../../forms/faults.ts'

/** Members that all resources of the configuration have. */
export type Resource = { id: string; version: number; archived: boolean }

type WriteOptions = { ifMatch?: string }

/** The routes that all resources of the configuration have, as the SDK offers them. */
export type ResourceApi<Item> = {
  list(query: { limit: number; archived: 'true' | 'false' }): AsyncIterable<Item>
  retrieve(id: string): PromiseLike<Item>
  create(body: never): PromiseLike<Item>
  update(id: string, body: never, options?: WriteOptions): PromiseLike<Item>
  delete(id: string): PromiseLike<unknown>
}

export type FormProps<Item, Draft> = {
  draft: Draft
  set(change: Partial<Draft>): void
  faults: Faults
  /** Null while a new object is created. */
  item: Item | null
}

export type ArchiveDialogProps<Item> = { item: Item; onClose(): void; onArchived(): void }

/** Describes a resource: how it is listed, and how it is edited. */
export type Kind<Item extends Resource, Draft extends object> = {
  /** The path of the resource, which is its query key. */
  path: string
  /** The scope that permits writes. */
  scope: Scope
  icon: IconName
  api: ResourceApi<Item>
  words: {
    title: string
    intro: string
    create: string
    emptyHint: string
    /** More that a person has to know before a deletion. */
    removeHint?: string
  }
  nameOf(item: Item): string
  /** The text that the search looks through. */
  searched(item: Item): string
  columns: Column<Item>[]
  /** The fields of the form, named as in the body of requests. */
  draftOf(item: Item | null): Draft
  /** The body of requests, if the form has the values in another shape. */
  bodyOf?(draft: Draft): object
  /** The names of the fields as people read them, for conflicts. */
  labels: Record<keyof Draft, string>
  form(props: FormProps<Item, Draft>): ReactNode
  width?: 'normal' | 'wide'
  /** Keeps the panel open after the creation or each time, because there is more to do than the form. */
  staysOpen?: 'created' | 'always'
  /** Asks before an item is archived, and archives it. Without it, an item is archived at once. */
  archiveDialog?(props: ArchiveDialogProps<Item>): ReactNode
  /** A refusal of the server in the words of the form, at the field that causes it. */
  refusalOf?(error: unknown): { pointer: string; detail: string } | null
  /** Stores another order of the items. */
  reorder?(items: Item[]): Promise<unknown>
  /** More that a person can do with an item. */
  actionsOf?(item: Item): { label: string; icon: IconName; onChoose(): void }[]
}
