import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalAddress } from './addresses.ts'

describe('the canonical form', () => {
  for (const [address, canonical] of [
    ['Support@Example.COM', 'support@example.com'],
    ['Info@BÜCHER.example', 'info@xn--bcher-kva.example'],
    ['info@xn--bcher-kva.example', 'info@xn--bcher-kva.example'],
    ['Ünal@example.com', 'ünal@example.com'],
    ['a+B@example.com', 'a+b@example.com'],
    ['"a@b"@Example.com', '"a@b"@example.com'],
    ['a@[192.0.2.1]', 'a@[192.0.2.1]'],
    // A host is never cut at characters that end it in URLs.
    ['a@example.com/x', 'a@example.com/x'],
    ['a@example.com?x', 'a@example.com?x'],
    ['a@example.com#x', 'a@example.com#x'],
    ['a@%65xample.com', 'a@%65xample.com'],
  ] as const)
    test(`of ${address} is ${canonical}`, () => {
      assert.equal(canonicalAddress(address), canonical)
      assert.equal(canonicalAddress(canonical), canonical)
    })
})
