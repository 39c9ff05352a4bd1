import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesEnding, gzipKb, mostScriptsKb } from '../../bench/console/built.ts'

test('the scripts of the console are not larger than agreed', () => {
  const kb = gzipKb(filesEnding('.js'))
  assert.ok(kb > 0, 'The console is not built: npm run build -w packages/console')
  assert.ok(kb <= mostScriptsKb, `${kb.toFixed(1)} kB of scripts, ${mostScriptsKb} are agreed`)
})
