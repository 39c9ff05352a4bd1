import type { ApiError } from '@backline/sdk'

export type Versioned = { version: number }

type WriteOptions = { ifMatch: string }

/** The object has changed since the person read it, and nothing was written. */
export class ChangedMeanwhileError<Item> extends Error {
  readonly newer: Item

  constructor(newer: Item) {
    super('The object has changed meanwhile.')
    this.newer = newer
  }
}

/** Refuses a write unless the object still has this version. */
export const ifUnchanged = ({ version }: Versioned): WriteOptions => ({ ifMatch: `"${version}"` })

export const isOutdated = (error: unknown): boolean =>
  (error as Partial<ApiError> | null)?.code === 'precondition_failed'

type ConditionalWrite<Item extends Versioned> = {
  /** The version that the person has seen. */
  seen: Item
  write(options: WriteOptions): PromiseLike<Item>
  read(): PromiseLike<Item>
  /** True if two versions agree in what the person edits: the write holds for both of them. */
  isSame(newer: Item, seen: Item): boolean
}

/** Writes on the version that a person has seen, or on a newer one that is the same. @throws ChangedMeanwhileError */
export async function writeIfUnchanged<Item extends Versioned>(
  change: ConditionalWrite<Item>,
): Promise<Item> {
  const { seen, write, read, isSame } = change
  try {
    return await write(ifUnchanged(seen))
  } catch (error) {
    if (!isOutdated(error)) throw error
  }
  const newer = await read()
  if (!isSame(newer, seen)) throw new ChangedMeanwhileError(newer)
  return writeIfUnchanged({ ...change, seen: newer })
}
