export type Check = {
  /** The subject of the check, such as `database`. */
  name: string
  /** A warning needs no action; a fault prevents Backline from working. */
  status: 'ok' | 'warning' | 'fault'
  detail: string
  /** The suggested fix; null if none is needed. */
  advice: string | null
  /** The same as data. */
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

const failing =
  (status: 'warning' | 'fault') =>
  (name: string, detail: string, advice: string, facts: Facts = {}): Check => ({
    name,
    status,
    detail,
    advice,
    facts,
  })

export const warning = failing('warning')
export const fault = failing('fault')
