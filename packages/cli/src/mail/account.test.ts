import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UsageError } from '../errors.ts'
import { type Account, accountOf } from './account.ts'

describe('the account of --imap', () => {
  const accounts: [url: string, account: Partial<Account>][] = [
    [
      'imaps://ada@imap.example.com',
      { host: 'imap.example.com', port: 993, security: 'tls', folder: ['INBOX'] },
    ],
    ['imaps://ada@imap.example.com/', { folder: ['INBOX'] }],
    ['imaps://ada@example.com@imap.example.com/INBOX', { user: 'ada@example.com', host: 'imap.example.com' }],
    ['imaps://ada%40example.com@imap.example.com', { user: 'ada@example.com' }],
    ['imaps://ada@imap.example.com:1993/Support/To%20do', { port: 1993, folder: ['Support', 'To do'] }],
    ['imaps://ada@imap.gmail.com/[Gmail]/All%20Mail', { folder: ['[Gmail]', 'All Mail'] }],
    ['imaps://ada@imap.example.com/Stra%C3%9Fe', { folder: ['Straße'] }],
    ['imap://ada@imap.example.com', { port: 143, security: 'starttls' }],
    ['imap://ada@10.0.0.1', { security: 'starttls' }],
    ['imap://ada@127.0.0.1.example.com', { security: 'starttls' }],
    ['imap://ada@127.0.0.1:1143', { port: 1143, security: 'none' }],
    ['imap://ada@localhost', { security: 'none' }],
    ['imap://ada@[::1]', { host: '::1', security: 'none' }],
    ['imaps://ada@127.0.0.1', { security: 'tls' }],
  ]
  for (const [url, account] of accounts)
    test(url, () => assert.partialDeepStrictEqual(accountOf(url, 'mail fetch'), account))

  const refused = [
    ['imaps://ada:sesame@imap.example.com', /must not have the password/],
    ['https://ada@imap.example.com', /must be imaps:/],
    ['imap.example.com', /must be imaps:/],
    ['imaps://imap.example.com/INBOX', /must be imaps:/],
    ['imaps://ada@/INBOX', /must be imaps:/],
    ['imaps://ada@imap.example.com/INBOX?sesame', /must be imaps:/],
    ['imaps://ada@imap.example.com/a//b', /must be imaps:/],
    ['imaps://ada@imap.example.com/%FF', /must be imaps:/],
  ] as const
  for (const [url, message] of refused)
    test(`${url} is refused, and not repeated`, () =>
      assert.throws(
        () => accountOf(url, 'mail fetch'),
        (error: UsageError) => {
          assert.ok(error instanceof UsageError)
          assert.match(error.message, message)
          assert.equal(error.message.includes('sesame'), false)
          return true
        },
      ))
})
