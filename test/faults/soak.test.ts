import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp, launch, patienceMs } from '../processes.ts'
import { isFull } from './lengths.ts'

const minutes = 1.5

after(cleanUp)

test('half of what the server can do is answered, minute after minute', {
  skip: !isFull && 'takes minutes: npm run test:faults',
}, async (t) => {
  const soak = launch({ command: [process.execPath, 'bench/soak.ts', '--minutes', String(minutes)] })
  const { code } = await soak.ended(minutes * 60_000 + 3 * patienceMs)
  for (const line of soak.stdout.split('\n').filter(Boolean)) t.diagnostic(line)
  assert.equal(code, 0, soak.output)
})
