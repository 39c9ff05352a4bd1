/* Functions that the tests of threads run. */

export const here = import.meta.url

export const double = (number: number): number => 2 * number

export function work(ms: number): void {
  const { user, system } = process.threadCpuUsage()
  for (let spent = 0; spent < ms; ) {
    const now = process.threadCpuUsage()
    spent = (now.user + now.system - user - system) / 1000
  }
}

export function hoard(): void {
  for (const all: number[][] = []; ; ) all.push(Array.from({ length: 10_000 }, Math.random))
}

export function fail(): void {
  throw new TypeError('This is a defect')
}
