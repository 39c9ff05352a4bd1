import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Arrivals, closedLoop, openLoop } from './arrivals.ts'
import { startServer } from './server.ts'

/*
 * npm run soak: half of the server's capacity for the given time, on a schedule that does not wait for responses.
 * Reports growth of memory, open files and response times. Exits with 1 if a response is 5xx or missing.
 */
const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Share of the highest rate. */
    share: { type: 'string', default: '0.5' },
  },
})
const durationMs = Number(flags.minutes) * 60_000
const share = Number(flags.share)
const probeMs = 5_000
const sampleEveryMs = 1_000
/** Memory is measured after the warm-up: caches fill, code is compiled. At most a quarter of the whole. */
const warmUpMs = Math.min(60_000, durationMs / 4)
const windowMs = Math.min(60_000, durationMs / 4)

const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2)

const server = await startServer()
try {
  await closedLoop(server, probeMs) // the first requests of a process are slow
  const highest = await closedLoop(server, probeMs)
  const perSecond = Math.floor(highest * share)
  console.log(`${Math.round(highest)} requests/s at most; ${perSecond}/s for ${flags.minutes} minutes\n`)
  const startedAt = performance.now()
  const sampling = sampleMemory(startedAt)
  const arrivals = await openLoop(server, perSecond, durationMs)
  print(arrivals, await sampling)
  const failed = Object.entries(arrivals.statuses).some(([status]) => status >= '500')
  if (failed || arrivals.unanswered > 0) process.exitCode = 1
} finally {
  await server.stop()
}

type Sample = { atMs: number; bytes: number; files: number }

async function sampleMemory(startedAt: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for (;;) {
    const atMs = performance.now() - startedAt
    if (atMs > durationMs) return samples
    samples.push({ atMs, bytes: await server.residentBytes(), files: await openFiles() })
    await new Promise((resolve) => setTimeout(resolve, sampleEveryMs))
  }
}

/** Open files of the server process, including sockets. */
async function openFiles(): Promise<number> {
  return (await readdir(`/proc/${server.pid}/fd`)).length
}

/** The slope of the regression line (least squares) in MB per hour. */
function growthPerHour(samples: Sample[]): number {
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const meanBytes = samples.reduce((sum, { bytes }) => sum + bytes, 0) / samples.length
  const [covariance, variance] = samples.reduce(
    ([covariance, variance], { atMs, bytes }) => [
      covariance + (atMs - meanAt) * (bytes - meanBytes),
      variance + (atMs - meanAt) ** 2,
    ],
    [0, 0],
  )
  return ((covariance / variance) * 3_600_000) / 1024 ** 2
}

function print(arrivals: Arrivals, samples: Sample[]): void {
  const warm = samples.filter(({ atMs }) => atMs >= warmUpMs)
  const first = arrivals.latencies(0, windowMs)
  const last = arrivals.latencies(durationMs - windowMs, durationMs)
  const windowSeconds = Math.round(windowMs / 1000)
  const rows = [
    [
      'answers',
      Object.entries(arrivals.statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
    ],
    ['without an answer', arrivals.unanswered],
    [
      'memory at the beginning, when warm, at the end',
      `${[samples[0]!, warm[0]!, samples.at(-1)!].map(({ bytes }) => megabytes(bytes)).join(', ')} MB`,
    ],
    ['growth of memory when warm', `${growthPerHour(warm).toFixed(1)} MB/h`],
    ['open files when warm and at the end', `${warm[0]!.files}, ${samples.at(-1)!.files}`],
    [`p50, p99 of the first ${windowSeconds} s`, `${first.p50Ms.toFixed(1)}, ${first.p99Ms.toFixed(1)} ms`],
    [`p50, p99 of the last ${windowSeconds} s`, `${last.p50Ms.toFixed(1)}, ${last.p99Ms.toFixed(1)} ms`],
  ]
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`)
}
