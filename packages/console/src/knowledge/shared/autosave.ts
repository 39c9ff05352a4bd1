import type { ApiError, RequestOptions } from '@backline/sdk'
import {
  ChangedMeanwhileError,
  ifUnchanged,
  isOutdated,
  type Versioned,
  writeIfUnchanged,
} from '../../data/conditional-write.ts'
import { Faults } from '../../data/faults.ts'
import { isEqual } from '../../forms/changes.ts'

type Fields = Record<string, unknown>

type Refusal = { value: unknown; reason: string }
type Phase = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict'

export type Snapshot<Item, F> = {
  /** The latest known version of the server. */
  item: Item
  /** The text in the form. */
  fields: F
  phase: Phase
  savedAt: string | null
  /** The failure of the last attempt to save. */
  error: unknown
  /** Values that the server refused; they are not sent again. */
  refusals: Partial<Record<keyof F, Refusal>>
  /** The fields that both sides changed. */
  conflicts: (keyof F)[]
  /** Unsaved text of an earlier visit was found. */
  wasRestored: boolean
}

/** Text that is not saved, with the fields of the server's version that it is based on. */
export type Unsaved<F> = { base: F; fields: F }

/** The text could not be saved; `cause` is the failure, if there was one. */
export class NotSavedError extends Error {}

/** Keeps unsaved text for the next visit. */
export type UnsavedStore<F> = {
  read(): Unsaved<F> | null
  write(unsaved: Unsaved<F>): void
  clear(): void
}

export type AutosaveOptions<Item, F> = {
  item: Item
  fieldsOf(item: Item): F
  write(patch: Partial<F>, options: RequestOptions): PromiseLike<Item>
  read(): PromiseLike<Item>
  store: UnsavedStore<F>
  /** True if changes are saved without being asked. */
  isAutomatic(item: Item): boolean
}

const pauseMs = 1_200
const longestPauseMs = 8_000
const retryMs = 6_000

/**
 * A text that a person edits while others may edit it too. It is saved some moments after the last key. What others
 * change meanwhile is merged field by field; a field that both have changed is a conflict, which the writer decides.
 */
export class Autosave<Item extends Versioned, F extends Fields> {
  readonly #options: AutosaveOptions<Item, F>
  readonly #listeners = new Set<() => void>()
  #snapshot: Snapshot<Item, F>
  /** The fields of the server's version that the writer's text is based on. */
  #base: F
  /** The same fields as the writer typed them: the server may have trimmed them. */
  #clean: F
  #saving: Promise<void> | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #firstChangeMs: number | null = null
  #waiting: Item | null = null

  constructor(options: AutosaveOptions<Item, F>) {
    this.#options = options
    const { item, fieldsOf, store } = options
    const stored = store.read()
    const fields = fieldsOf(item)
    this.#base = stored?.base ?? fields
    this.#clean = this.#base
    this.#snapshot = {
      item,
      fields: { ...this.#base, ...stored?.fields },
      phase: 'saved',
      savedAt: null,
      error: null,
      refusals: {},
      conflicts: [],
      wasRestored: false,
    }
    if (!stored) return
    this.#merge(item)
    const isUnsaved = this.#dirty().length > 0
    this.#set({ phase: this.#settled(), wasRestored: isUnsaved })
    if (isUnsaved) this.#schedule()
    else store.clear()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot<Item, F> => this.#snapshot

  change(patch: Partial<F>): void {
    this.#set({ fields: { ...this.#snapshot.fields, ...patch } })
    this.#store()
    if (this.#snapshot.phase !== 'saving') this.#set({ phase: this.#settled(), error: null })
    this.#schedule()
  }

  /** Takes a version of the server: the answer of another write, or what somebody else has done. */
  receive(item: Item): void {
    if (this.#saving) {
      if (item.version > (this.#waiting?.version ?? 0)) this.#waiting = item
      return
    }
    if (item.version <= this.#snapshot.item.version) return
    this.#merge(item)
    this.#set({ phase: this.#settled() })
    this.#store()
  }

  /** Ends a conflict. @param choices the fields that keep the writer's text; all others take that of the server */
  resolve(mine: ReadonlySet<keyof F>): void {
    const theirs = this.#options.fieldsOf(this.#snapshot.item)
    const fields = { ...this.#snapshot.fields }
    for (const name of this.#snapshot.conflicts) {
      this.#clean = { ...this.#clean, [name]: theirs[name] }
      if (!mine.has(name)) fields[name] = theirs[name]
    }
    this.#base = theirs
    this.#set({ fields, conflicts: [] })
    this.#set({ phase: this.#settled() })
    this.#store()
    this.#schedule()
  }

  /** Gives up what is not saved. */
  discard(): void {
    clearTimeout(this.#timer)
    this.#base = this.#options.fieldsOf(this.#snapshot.item)
    this.#clean = this.#base
    this.#set({ fields: this.#base, refusals: {}, conflicts: [], error: null, phase: 'saved' })
    this.#options.store.clear()
  }

  /** Saves now. @throws NotSavedError if that fails, or if a conflict or a refused field is in the way */
  async save(): Promise<Item> {
    clearTimeout(this.#timer)
    while (this.#saving) await this.#saving
    if (this.#pending().length > 0) await this.#attempt()
    const { error, phase, item } = this.#snapshot
    if (phase === 'failed' || phase === 'conflict') throw new NotSavedError(phase, { cause: error })
    return this.#pending().length > 0 ? this.save() : item
  }

  /** Saves, and then does something with exactly this text. @throws like `save`, and the failure of the action */
  async perform(action: (saved: Item, options: RequestOptions) => PromiseLike<Item>): Promise<void> {
    const saved = await this.save()
    try {
      this.receive(await action(saved, ifUnchanged(saved)))
    } catch (error) {
      if (isOutdated(error)) this.receive(await this.#options.read())
      throw error
    }
  }

  /** The refusals of the server that hold for the text as it is now. */
  get faults(): Faults {
    const { fields, refusals } = this.#snapshot
    const names = Object.keys(fields).filter((name) => isEqual(refusals[name]?.value, fields[name]))
    return new Faults(
      names.flatMap((name) =>
        refusals[name] ? [{ pointer: `/${name}`, detail: refusals[name].reason }] : [],
      ),
    )
  }

  /** Saves what is left, when the page is left. */
  leave(): void {
    clearTimeout(this.#timer)
    if (this.#options.isAutomatic(this.#snapshot.item) && this.#pending().length > 0)
      void this.save().catch(() => undefined) // the text is stored, and offered again at the next visit
  }

  #set(change: Partial<Snapshot<Item, F>>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }

  #dirty(): (keyof F)[] {
    const { fields } = this.#snapshot
    return Object.keys(fields).filter((name) => !isEqual(fields[name], this.#clean[name]))
  }

  /** Changed, and not refused as it is. */
  #pending(): (keyof F)[] {
    const { fields, refusals, conflicts } = this.#snapshot
    if (conflicts.length > 0) return []
    return this.#dirty().filter((name) => {
      const refusal = refusals[name]
      return !refusal || !isEqual(refusal.value, fields[name])
    })
  }

  #settled(): Phase {
    if (this.#snapshot.conflicts.length > 0) return 'conflict'
    const dirty = this.#dirty()
    if (dirty.length === 0) return 'saved'
    return this.#pending().length > 0 ? 'unsaved' : 'failed'
  }

  #merge(item: Item): void {
    const theirs = this.#options.fieldsOf(item)
    const fields = { ...this.#snapshot.fields }
    const conflicts: (keyof F)[] = []
    for (const name of Object.keys(theirs) as (keyof F)[]) {
      if (isEqual(theirs[name], this.#base[name])) continue
      if (isEqual(fields[name], this.#clean[name]) || isEqual(fields[name], theirs[name])) {
        fields[name] = theirs[name]
        this.#clean = { ...this.#clean, [name]: theirs[name] }
      } else conflicts.push(name)
    }
    if (conflicts.length === 0) this.#base = theirs
    this.#set({ item, fields, conflicts })
  }

  #store(): void {
    if (this.#dirty().length === 0) this.#options.store.clear()
    else this.#options.store.write({ base: this.#base, fields: this.#snapshot.fields })
  }

  #schedule(afterMs = pauseMs): void {
    clearTimeout(this.#timer)
    if (!this.#options.isAutomatic(this.#snapshot.item) || this.#pending().length === 0) return
    this.#firstChangeMs ??= Date.now()
    const left = Math.max(0, this.#firstChangeMs + longestPauseMs - Date.now())
    this.#timer = setTimeout(() => void this.#attempt(), Math.min(afterMs, left))
  }

  async #attempt(): Promise<void> {
    if (this.#saving) return
    this.#firstChangeMs = null
    this.#saving = this.#exchange().finally(() => {
      this.#saving = null
    })
    await this.#saving
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) this.receive(waiting)
    this.#set({ phase: this.#snapshot.error ? this.#snapshot.phase : this.#settled() })
    this.#store()
    if (!this.#snapshot.error) this.#schedule()
  }

  async #exchange(): Promise<void> {
    const sent = this.#snapshot.fields
    const patch = Object.fromEntries(this.#pending().map((name) => [name, sent[name]])) as Partial<F>
    const { write, read, fieldsOf } = this.#options
    this.#set({ phase: 'saving', error: null })
    try {
      const item = await writeIfUnchanged({
        seen: this.#snapshot.item,
        write: (options) => write(patch, options),
        read,
        isSame: () => false, // even what is not in the form is shown on the page
      })
      this.#base = fieldsOf(item)
      this.#clean = { ...this.#clean, ...patch }
      this.#set({ item, savedAt: new Date().toISOString() })
    } catch (error) {
      if (error instanceof ChangedMeanwhileError) this.#merge(error.newer)
      else this.#failed(error, patch)
    }
  }

  #failed(error: unknown, patch: Partial<F>): void {
    const faults = Faults.of(error)
    const refused = Object.entries(patch).flatMap(([name, value]) => {
      const reason = faults.under(`/${name}`)
      return reason === undefined ? [] : [[name, { value, reason }]]
    })
    this.#set({
      refusals: { ...this.#snapshot.refusals, ...Object.fromEntries(refused) },
      phase: 'failed',
    })
    this.#set({ error: refused.length > 0 && this.#pending().length > 0 ? null : error })
    const { status = 0 } = error as Partial<ApiError>
    const isTransient = status === 0 || status === 429 || status >= 500
    if (isTransient && this.#options.isAutomatic(this.#snapshot.item))
      this.#timer = setTimeout(() => void this.#attempt(), retryMs)
  }
}
