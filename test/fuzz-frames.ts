/*
 * Bytes that are malformed or incomplete requests. Each declares its responses: as many as are listed, in this order,
 * errors in the usual error format.
 */

export type Frame = {
  name: string
  /** Sent in sequence, with a pause between. */
  pieces: (string | Buffer)[]
  statuses: (number | number[])[]
  /** Methods of the requests, if not GET. */
  methods?: string[]
  /** The client closes its sending side. */
  endAfter?: boolean
}

const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'

/** @param key an API key of the tenant; @param name a prefix that makes idempotency keys and user ids unique */
export function frames(key: string, name: string): Frame[] {
  let count = 0
  const post = (headers: string, body: string | Buffer) => {
    count += 1
    const head = `POST /v1/conversations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${name}-${count}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(body)])
  }
  const chunked = (...pieces: string[]) => [post('Transfer-Encoding: chunked', ''), ...pieces]
  const body = `{"external_user_id":"${name}"}`
  const sized = post(`Content-Length: ${body.length}`, body)
  const listed = (target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const refused = (frameName: string, ...pieces: (string | Buffer)[]): Frame => ({
    name: frameName,
    pieces,
    statuses: [400],
  })
  return [
    refused('a request line of garbage', 'hello?\r\n\r\n'),
    refused('bytes without any sense', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])),
    refused('the beginning of TLS', Buffer.from('16030100a5010000a10303', 'hex')),
    refused('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    refused('an unknown method', 'FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
    refused('a method in small letters', 'get /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
    refused('an unknown protocol', 'GET /healthz SPDY/3\r\nHost: x\r\n\r\n'),
    refused('HTTP 9.9', 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n'),
    refused('no path', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'),
    refused('a space in the path', 'GET /v1/con versations HTTP/1.1\r\nHost: x\r\n\r\n'),
    refused(
      'a path with bytes beyond ASCII',
      Buffer.from('GET /v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
    ),
    refused('a path with NUL', 'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n'),
    refused('broken percent-encoding in the path', 'GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n'),
    ...['http://[', 'http://x:99999', 'http://', 'ftp://x', 'http://a%zz'].map((origin) => ({
      name: `the absolute URL ${origin}/…`,
      pieces: [listed(`${origin}/v1/conversations?limit=1`)],
      statuses: [[200, 400, 404]],
    })),
    refused('a header without a colon', `${get}no colon here\r\n\r\n`),
    refused('a header name with a space', `${get}X Y: z\r\n\r\n`),
    refused('a header without a name', `${get}: z\r\n\r\n`),
    refused('a header with NUL', `${get}X: a\0b\r\n\r\n`),
    refused('a header that goes on in the next line', 'GET /healthz HTTP/1.1\r\nHost: x\r\n y\r\n\r\n'),
    refused('lines that end with LF alone', 'GET /healthz HTTP/1.1\nHost: x\n\n'),
    refused(
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
    ),
    refused('two lengths', post('Content-Length: 5\r\nContent-Length: 6', '{"a":1')),
    refused('a negative length', post('Content-Length: -5', '')),
    refused('a length that is no number', post('Content-Length: five', '')),
    refused('a length beyond 2^64', post(`Content-Length: ${'9'.repeat(30)}`, '')),
    refused('an unknown transfer coding', post('Transfer-Encoding: gzip', body)),
    refused('chunked that is not the last coding', post('Transfer-Encoding: chunked, gzip', '0\r\n\r\n')),
    refused('a chunk size of garbage', ...chunked('ZZ\r\n{}\r\n0\r\n\r\n')),
    refused('a chunk size of garbage later', ...chunked('3\r\n{"e\r\n', 'x;\r\n')),
    refused('a chunk size beyond 2^64', ...chunked('fffffffffffffffff\r\n')),
    refused('a negative chunk size', ...chunked('-1\r\n')),
    refused('a chunk longer than it says', ...chunked('2\r\n{}}}}}\r\n0\r\n\r\n')),
    { ...refused('a body that ends early', post('Content-Length: 50', '{"a"')), endAfter: true },
    { ...refused('chunks that end early', ...chunked('5\r\n{"a"')), endAfter: true },
    { ...refused('headers that end early', `${get}X: y`), endAfter: true },
    {
      name: 'a header block over 16 KiB',
      pieces: [`${get}X: ${'a'.repeat(17_000)}\r\n\r\n`],
      statuses: [431],
    },
    {
      name: 'many small headers over 16 KiB',
      pieces: [`${get}${'a: b\r\n'.repeat(5000)}\r\n`],
      statuses: [431],
    },
    {
      name: 'a URL over 8 KiB',
      pieces: [listed(`/v1/conversations?q=${'a'.repeat(9000)}`)],
      statuses: [414],
    },
    {
      name: 'a path over 8 KiB',
      pieces: [listed(`/v1/conversations/${'a'.repeat(9000)}`)],
      statuses: [414],
    },
    {
      name: 'a URL over 16 KiB',
      pieces: [listed(`/v1/conversations/${'a'.repeat(20_000)}`)],
      statuses: [431],
    },
    {
      name: 'no Host',
      pieces: ['GET /healthz HTTP/1.1\r\n\r\n'],
      statuses: [400],
    },
    {
      name: 'an expectation that cannot be met',
      pieces: [`${get}Expect: 200-ok\r\n\r\n`],
      statuses: [417],
    },
    {
      name: 'CONNECT',
      pieces: ['CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
      statuses: [400],
      methods: ['CONNECT'],
    },
    {
      name: 'junk behind a request',
      pieces: [`${get}\r\nJUNK\0\r\n\r\n`],
      statuses: [200, 400],
      methods: ['GET', 'GET'],
    },
    {
      name: 'a second request that is broken',
      pieces: [`${get}\r\n`, `${get}Content-Length: x\r\n\r\n`],
      statuses: [200, 400],
      methods: ['GET', 'GET'],
    },
    {
      name: 'requests in a row',
      pieces: [`${get}\r\n${get}\r\nGET /v1/nope HTTP/1.1\r\nHost: x\r\n\r\n${get}\r\n`],
      statuses: [200, 200, 404, 200],
      methods: ['GET', 'GET', 'GET', 'GET'],
    },
    {
      name: 'a request in single bytes',
      pieces: [...`GET /nope HTTP/1.1\r\nHost: x\r\n\r\n`],
      statuses: [404],
    },
    { name: 'HTTP/1.0', pieces: ['GET /healthz HTTP/1.0\r\n\r\n'], statuses: [200] },
    { name: 'empty lines before a request', pieces: [`\r\n\r\n${get}\r\n`], statuses: [200] },
    {
      name: 'an upgrade that is not on offer',
      pieces: [`${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
      statuses: [200],
    },
    {
      name: 'OPTIONS *',
      pieces: ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
      statuses: [404],
      methods: ['OPTIONS'],
    },
    {
      name: 'QUERY, which no route has',
      pieces: ['QUERY /v1/conversations HTTP/1.1\r\nHost: x\r\n\r\n'],
      statuses: [405],
      methods: ['QUERY'],
    },
    {
      name: 'junk behind a write',
      pieces: [Buffer.concat([sized, Buffer.from('JUNK\0\r\n\r\n')])],
      statuses: [201, 400],
      methods: ['POST', 'GET'],
    },
  ]
}
