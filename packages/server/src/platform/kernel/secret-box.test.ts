import assert from 'node:assert/strict'
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { parseSecretKey, SecretBoxError, secretBox, secretKeyCheck } from './secret-box.ts'

const key = createSecretKey(Buffer.alloc(32, 7))
const otherKey = createSecretKey(Buffer.alloc(32, 8))
const secret = 'whsec_Grüße 🔑'

describe('a secret box', () => {
  const boxOf = (key: KeyObject) => secretBox({ current: key, keys: [key] })
  const box = boxOf(key)

  test('opens what it sealed, also the empty text and after a restart', async () => {
    assert.equal(await boxOf(key).open(await box.seal(secret)), secret)
    assert.equal(await box.open(await box.seal('')), '')
  })

  test('still opens what this version has stored', async () => {
    const stored = 'AWRxnTAbg4zh9idBWvPS4N+0NG29FFrK3KBvh+HKlPU='
    assert.equal(await box.open(Buffer.from(stored, 'base64'), 'place'), 'abc')
  })

  test('seals the same text differently each time, and the text is not to be seen', async () => {
    const [first, second] = [await box.seal(secret), await box.seal(secret)]
    assert.notDeepEqual(first, second)
    assert.equal(first.indexOf('whsec'), -1)
  })

  test('does not open what another key sealed', async () => {
    await assert.rejects(boxOf(otherKey).open(await box.seal(secret)), SecretBoxError)
  })

  test('opens what belongs to a place in that place alone', async () => {
    const sealed = await box.seal(secret, 'whe_1')
    assert.equal(await box.open(sealed, 'whe_1'), secret)
    for (const place of ['whe_2', undefined]) await assert.rejects(box.open(sealed, place), SecretBoxError)
    await assert.rejects(box.open(await box.seal(secret), 'whe_1'), SecretBoxError)
  })

  test('opens nothing that was altered in any byte or cut anywhere', async () => {
    const sealed = await box.seal(secret)
    for (let i = 0; i < sealed.length; i++) {
      const altered = Buffer.from(sealed)
      altered[i]! ^= 1
      await assert.rejects(box.open(altered), SecretBoxError, `byte ${i}`)
      await assert.rejects(box.open(sealed.subarray(0, i)), SecretBoxError, `${i} bytes`)
    }
  })

  test('asks for the keys when it seals, and when none of those it knows opens a text', async () => {
    let found = { current: key, keys: [key] }
    let asked = 0
    const asking = secretBox(found, async () => {
      asked++
      return found
    })
    found = { current: otherKey, keys: [key, otherKey] }
    const byAnother = await boxOf(otherKey).seal(secret)
    assert.equal(await asking.open(byAnother), secret)
    assert.equal(asked, 1)
    assert.equal(await boxOf(otherKey).open(await asking.seal(secret)), secret)
    assert.equal(asked, 2)
    found = { current: otherKey, keys: [otherKey] }
    await asking.seal(secret)
    assert.equal(await asking.open(await box.seal(secret)), secret, 'a key that was known stays known')
  })

  test('opens all texts that wait for the keys at the same time, also just after it has sealed one', async () => {
    let found = { current: key, keys: [key] }
    const asking = secretBox(found, async () => found)
    await asking.seal(secret)
    found = { current: otherKey, keys: [key, otherKey] }
    const byAnother = await boxOf(otherKey).seal(secret)
    const opened = await Promise.all(Array.from({ length: 3 }, () => asking.open(byAnother)))
    assert.deepEqual(opened, [secret, secret, secret])
  })

  test('does not ask again and again for the keys of forged texts', async () => {
    let asked = 0
    const asking = secretBox({ current: key, keys: [key] }, async () => {
      asked++
      return { current: key, keys: [key] }
    })
    const forged = await boxOf(otherKey).seal(secret)
    for (let i = 0; i < 50; i++) await assert.rejects(asking.open(forged), SecretBoxError)
    assert.ok(asked < 50, `asked ${asked} times`)
  })
})

describe('a secret key', () => {
  const bytes = Buffer.from('fbff3e'.padStart(64, 'fbff'), 'hex')

  test('is the same in base64, base64url, with and without padding, and in hex', () => {
    const texts = [
      bytes.toString('base64'),
      bytes.toString('base64').replace('=', ''),
      bytes.toString('base64url'),
      `${bytes.toString('base64url')}=`,
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
    ]
    for (const text of texts) assert.ok(parseSecretKey(text)?.equals(createSecretKey(bytes)), text)
  })

  test('of another length or alphabet is none', () => {
    const wrong = [
      '',
      'geheim',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      bytes.toString('hex').slice(2),
      `${bytes.toString('hex')}00`,
      bytes.toString('hex').replace('f', 'g'),
      `${bytes.toString('base64url').slice(0, -1)}B`, // bits beyond the 32 bytes: mistyped
      `${bytes.toString('base64')}\n${bytes.toString('base64')}`,
      '+-'.repeat(21).concat('A'),
    ]
    for (const text of wrong) assert.equal(parseSecretKey(text), null, text)
  })

  test('shows nothing of itself when it is logged', () => {
    const shown = inspect(key, { depth: 9 }) + JSON.stringify({ key })
    assert.doesNotMatch(shown, /07|BwcH|\b7\b/)
  })

  test('is known by its check, which another key does not have', () => {
    assert.deepEqual(secretKeyCheck(key), secretKeyCheck(createSecretKey(Buffer.alloc(32, 7))))
    assert.notDeepEqual(secretKeyCheck(key), secretKeyCheck(otherKey))
    assert.equal(secretKeyCheck(key).length, 32)
  })
})
