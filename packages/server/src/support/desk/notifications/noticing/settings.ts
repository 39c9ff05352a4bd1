import type { Position } from '../../../../platform/journal/positions.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { findPreferences, type Preferences } from '../queries.ts'
import { type EventToNotice, laterPreferences } from './queries.ts'

type Settings = Pick<Preferences, 'kinds' | 'follow'>

/** The preferences of operators at each moment of the journal, and who of them is not archived now. */
export class OperatorSettings {
  readonly #settings: Map<string, Settings>
  readonly #active: Set<string>

  private constructor(settings: Map<string, Settings>, active: Set<string>) {
    this.#settings = settings
    this.#active = active
  }

  static async at(db: Db, tenantId: string, ids: string[], from: Position | null): Promise<OperatorSettings> {
    if (ids.length === 0) return new OperatorSettings(new Map(), new Set())
    const present = (await findPreferences(db, tenantId, ids)).filter(({ is_archived }) => !is_archived)
    const active = new Set(present.map(({ id }) => id))
    const settings = new Map<string, Settings>(present.map((row) => [row.id, row]))
    // Read last: it has whatever the present ones may have.
    if (present.some(({ is_set }) => is_set))
      for (const { resource_id, previous } of await laterPreferences(db, tenantId, [...active], from))
        settings.set(resource_id, { ...settings.get(resource_id)!, ...previous })
    return new OperatorSettings(settings, active)
  }

  apply({ type, resource_id, preferences }: EventToNotice): void {
    if (type === 'notification_preferences.updated' && preferences !== null)
      this.#settings.set(resource_id, preferences)
  }

  /** Null for an operator who is archived, or does not exist any more. */
  of(operatorId: string): Settings | null {
    return this.#active.has(operatorId) ? (this.#settings.get(operatorId) ?? null) : null
  }
}
