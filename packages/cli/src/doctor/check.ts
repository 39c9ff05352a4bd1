export type Check = {
  /** What was looked at: `database`. */
  name: string
  /** A warning is worth knowing and needs nobody; a fault keeps Backline from working. */
  status: 'ok' | 'warning' | 'fault'
  detail: string
  /** What to do about it; null when nothing is to be done. */
  advice: string | null
  /** The same for programs. */
  facts: Record<string, unknown>
}

type Facts = Record<string, unknown>

export const ok = (name: string, detail: string, facts: Facts = {}): Check => ({
  name,
  status: 'ok',
  detail,
  advice: null,
  facts,
})

export const warning = (name: string, detail: string, advice: string, facts: Facts = {}): Check => ({
  name,
  status: 'warning',
  detail,
  advice,
  facts,
})

export const fault = (name: string, detail: string, advice: string, facts: Facts = {}): Check => ({
  name,
  status: 'fault',
  detail,
  advice,
  facts,
})
