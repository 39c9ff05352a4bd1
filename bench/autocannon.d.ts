/** autocannon has no types; these are the ones that bench/load.ts uses. */
declare module 'autocannon' {
  type Result = {
    requests: { total: number }
    duration: number
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  export default function autocannon(options: unknown): Promise<Result>
}
