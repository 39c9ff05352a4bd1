/** Node's own `Temporal`; Node before 26 has none, and gets the same from a package. */
export const Temporal: typeof globalThis.Temporal =
  globalThis.Temporal ?? ((await import('temporal-polyfill/implementation')).Temporal as never)
