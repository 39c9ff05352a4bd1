import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const path = '/v1/message_templates'
const create = (client: Client, input: object) =>
  client.post(path, { name: randomUUID(), body: 'x', ...input })

/** A client, and a function that renders a body for one of its conversations. */
async function desk(conversation: object = {}) {
  const { test: client } = await api.world()
  const { body: about } = await client.post('/v1/conversations', {
    external_user_id: 'user_42',
    ...conversation,
  })
  const render = async (template: string | object, request: object = {}) => {
    const input = typeof template === 'string' ? { body: template } : template
    const { body: made } = await create(client, input)
    return client.post(`${path}/${made.id}/render`, { conversation_id: about.id, ...request })
  }
  return { client, conversation: about, render }
}

function refused(answer: Answer, pointer: string, code: string, detail = /./) {
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.body.code, 'validation_failed')
  const fault = answer.body.errors.find((each: { pointer: string }) => each.pointer === pointer)
  assert.ok(fault, answer.text)
  assert.equal(fault.code, code)
  assert.match(fault.detail, detail)
  assert.doesNotMatch(answer.text, /liquid\.node|\.ts:|file:|node_modules/)
}

const shows = (answer: Answer, body: string) => {
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.body, body)
}

const misses = (answer: Answer, ...variables: string[]) => {
  assert.equal(answer.status, 422, answer.text)
  assert.equal(answer.body.code, 'template_variable_missing')
  assert.deepEqual(answer.body.params, { variables })
}

describe('saving', () => {
  test('a template tells the variables of all its bodies, without what they define themselves', async () => {
    const { client } = await desk()
    const { body } = await create(client, {
      body: '{% assign greeting = name | default: nick %}{{ greeting }} {{ customer.orders[0].id }} {{ now | date: format }}',
      variants: [
        { locale: 'pt', body: '{% for item in items %}{{ item.name }} {{ forloop.index }}{% endfor %}' },
        { locale: 'de', body: "{{ conversation.subject }} {{ labels['with space'] }} {{ prices[key] }}" },
      ],
    })
    assert.deepEqual(body.variables, [
      'conversation.subject',
      'customer.orders[0].id',
      'format',
      'items',
      'key',
      "labels['with space']",
      'name',
      'nick',
      'now',
      'prices[key]',
    ])
    const { body: patched } = await client.patch(`${path}/${body.id}`, { body: '{{ other }}', variants: [] })
    assert.deepEqual(patched.variables, ['other'])
  })

  test('what is no Liquid is refused at its pointer, with line and column', async () => {
    const { client } = await desk()
    const answer = await create(client, {
      body: 'Hello\n  {{ name',
      variants: [
        { locale: 'de', body: '{% if a %}' },
        { locale: 'fr', body: 'Bonjour' },
        { locale: 'it', body: '{{ a | nonsense }}' },
      ],
    })
    refused(answer, '/body', 'bad_format', /not closed \(line 2, column 3\)$/)
    refused(answer, '/variants/0/body', 'bad_format', /not closed \(line 1, column 1\)$/)
    refused(answer, '/variants/2/body', 'bad_format', /undefined filter: nonsense/)
    assert.equal(answer.body.errors.length, 3)
  })

  test('a patch that breaks a template changes nothing', async () => {
    const { client } = await desk()
    const { body } = await create(client, { body: 'Fine' })
    refused(await client.patch(`${path}/${body.id}`, { body: '{% endif %}' }), '/body', 'bad_format')
    assert.deepEqual((await client.get(`${path}/${body.id}`)).body, body)
  })

  for (const tag of ['include', 'render', 'layout', 'block', 'tablerow', 'cycle']) {
    test(`a template cannot use the tag ${tag}`, async () => {
      const { client } = await desk()
      const answer = await create(client, { body: `{% ${tag} '/etc/passwd' %}` })
      refused(answer, '/body', 'bad_format', new RegExp(`uses the tag "${tag}", which is not available`))
    })
  }

  test('a locale is there once, whatever its case, and whichever of the two is sent', async () => {
    const { client } = await desk()
    const variants = [
      { locale: 'pt-BR', body: 'a' },
      { locale: 'en', body: 'b' },
      { locale: 'PT-br', body: 'c' },
    ]
    const answer = await create(client, { locale: 'EN', variants })
    refused(answer, '/variants/1/locale', 'not_allowed', /the locale of the template$/)
    refused(answer, '/variants/2/locale', 'not_allowed', /another variant/)
    const { body } = await create(client, { variants: variants.slice(0, 2) })
    refused(await client.patch(`${path}/${body.id}`, { locale: 'en' }), '/locale', 'not_allowed')
    assert.equal((await client.patch(`${path}/${body.id}`, { locale: 'de' })).status, 200)
  })

  test('names are unique without regard to case and have 1 to 50 characters', async () => {
    const { client } = await desk()
    const { body: first } = await create(client, { name: 'Straße' })
    const taken = await create(client, { name: 'STRASSE' })
    assert.equal(taken.status, 409)
    assert.deepEqual(taken.body.params, { id: first.id, field: 'name' })
    assert.equal((await create(client, { name: 'x'.repeat(50) })).status, 201)
    refused(await create(client, { name: 'x'.repeat(51) }), '/name', 'too_long')
    refused(await create(client, { name: '' }), '/name', 'too_short')
  })

  test('paths inside of paths are taken ten deep, not fifty', async () => {
    const { client } = await desk()
    const nested = (depth: number) => `{{ ${'a['.repeat(depth)}b${']'.repeat(depth)} }}`
    assert.equal((await create(client, { body: nested(9) })).status, 201)
    refused(await create(client, { body: nested(50) }), '/body', 'bad_format', /nested too deeply/)
  })

  test('a body of more than 1000 tags, and more than 500 variables, are refused', async () => {
    const { client } = await desk()
    refused(await create(client, { body: '{{ a }}'.repeat(1001) }), '/body', 'too_long')
    const many = (from: number) => Array.from({ length: 300 }, (_, i) => `{{ v${from + i} }}`).join('')
    const variants = [{ locale: 'de', body: many(300) }]
    refused(
      await create(client, { body: many(0), variants }),
      '/body',
      'too_long',
      /at most 500 variables .*, not 600$/,
    )
  })
})

describe('use', () => {
  test('a template that a message was made from cannot be deleted, and is counted', async () => {
    const { client, conversation } = await desk()
    const { body: template } = await create(client, {})
    const url = `/v1/conversations/${conversation.id}/messages`
    const written = { author_side: 'operator', body: 'A person has changed it', template_id: template.id }
    const { body: message } = await client.post(url, written)
    assert.equal(message.body, written.body)
    assert.equal((await client.get(`/v1/messages/${message.id}`)).body.template_id, template.id)
    assert.deepEqual((await client.get(`${path}/${template.id}`)).body, { ...template, usage_count: 1 })
    const answer = await client.delete(`${path}/${template.id}`)
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'resource_in_use')
  })
})

describe('rendering', () => {
  test('sees the conversation, the end user, the moment and what is given', async () => {
    const { conversation, render } = await desk({
      subject: 'Card',
      language: 'en',
      metadata: { plan: 'pro' },
    })
    const template =
      '{{ conversation.id }} {{ conversation.subject }} {{ conversation.external_user_id }} {{ conversation.status }} {{ conversation.priority }} {{ conversation.language }} {{ conversation.metadata.plan }} {{ end_user.external_id }} {{ order.items[1] }} {{ paid }} {{ total | times: 2 }}'
    const variables = { order: { items: ['a', 'b'] }, paid: false, total: 10.5, unused: null }
    shows(
      await render(template, { variables }),
      `${conversation.id} Card user_42 new normal en pro user_42 b false 21`,
    )
    const year = new Date(api.now()).getUTCFullYear()
    shows(
      await render("{{ now | date: '%Y' }} {{ 'now' | date: '%Y' }} {{ 0 | date: '%H:%M' }}"),
      `${year} ${year} 00:00`,
    )
  })

  test('all variables without a value are told at once: absent ones, null ones, and those of loops and filters', async () => {
    const { render } = await desk({ metadata: { plan: 'pro' } })
    misses(
      await render(
        '{{ customer.name }} {{ conversation.subject }} {{ nothing | upcase }} {{ "a" | append: suffix }} {% for i in list %}{% endfor %}{% for i in (1..count) %}{% endfor %}{% assign alias = origin %}{{ alias }}{% echo loud %}{{ conversation.metadata.other }}{{ gone }}{{ prices[key] }}{{ customer.name }}',
        { variables: { gone: null, customer: {}, prices: {} } },
      ),
      'conversation.metadata.other',
      'conversation.subject',
      'count',
      'customer.name',
      'gone',
      'key',
      'list',
      'loud',
      'nothing',
      'origin',
      'suffix',
    )
    misses(await render('{{ operator.name }}'), 'operator.name')
  })

  test('a variable may be asked for, and replaced', async () => {
    const { render } = await desk()
    shows(
      await render(
        '{{ a | default: "none" }}{% if b %}b{% elsif c.d == "x" %}d{% else %}-{% endif %}{% unless e %}!{% endunless %}{% case f %}{% when 1 %}1{% else %}?{% endcase %}{% if g contains "x" %}x{% endif %}{% if false %}{{ h }}{% endif %}',
      ),
      'none-!?',
    )
  })

  test('the standard variables cannot be given', async () => {
    const { render } = await desk()
    const answer = await render('x', { variables: { now: 'never', operator: {}, fine: 1 } })
    refused(answer, '/variables/now', 'not_allowed')
    refused(answer, '/variables/operator', 'not_allowed')
    assert.equal(answer.body.errors.length, 2)
  })

  test('prototypes are out of reach', async () => {
    const { render } = await desk()
    const names = ['__proto__', 'constructor', 'toString', 'o.constructor', 'o.__proto__', 's.constructor']
    misses(
      await render(names.map((name) => `{{ ${name} }}`).join(''), { variables: { o: {}, s: 's' } }),
      ...names.toSorted(),
    )
    misses(
      await render('{% for i in (1..2) %}{{ forloop.constructor }}{{ forloop.next }}{% endfor %}'),
      'forloop.constructor',
      'forloop.next',
    )
  })

  test('the body is that of the language asked for, a more general one, or the template’s own', async () => {
    const { client, conversation } = await desk({ language: 'pt-BR' })
    const { body: template } = await create(client, {
      body: 'own',
      locale: 'en',
      variants: [
        { locale: 'PT', body: 'português' },
        { locale: 'zh-Hant', body: '繁體' },
        { locale: 'de-AT', body: 'Servus' },
      ],
    })
    const cases: [string | null, string, string][] = [
      [null, 'português', 'PT'],
      ['pt-br', 'português', 'PT'],
      ['zh-Hant-TW', '繁體', 'zh-Hant'],
      ['zh-Hant-x-private', '繁體', 'zh-Hant'],
      ['zh', 'own', 'en'],
      ['de', 'own', 'en'],
      ['DE-at', 'Servus', 'de-AT'],
      ['en-GB', 'own', 'en'],
      ['fr', 'own', 'en'],
    ]
    for (const [locale, body, used] of cases) {
      const request = { conversation_id: conversation.id, ...(locale === null ? {} : { locale }) }
      const answer = await client.post(`${path}/${template.id}/render`, request)
      assert.deepEqual(answer.body, { body, body_format: 'text', locale: used }, String(locale))
    }
  })

  test('a template without a locale answers null, and months have the language of the body', async () => {
    const { render } = await desk({ language: 'fr' })
    const body = "{{ '2026-11-20' | date: '%B' }}"
    const plain = await render({ body, body_format: 'markdown' })
    assert.deepEqual(plain.body, { body: 'November', body_format: 'markdown', locale: null })
    shows(await render({ body: 'x', variants: [{ locale: 'fr', body }] }), 'novembre')
    shows(await render({ body, locale: 'aaaa-1' }), 'November')
  })

  test('it is replayed under its key, writes no event, and needs the right to read conversations', async () => {
    const { client } = await desk()
    const { test: other, environments, withScopes } = await api.world()
    const { body: template } = await create(other, { body: '{{ conversation.subject }}' })
    const { body: about } = await other.post('/v1/conversations', { external_user_id: 'u', subject: 'one' })
    const { tenantId } = environments.test
    const events = async () =>
      (await api.db.rows(sql`select 1 from events where tenant_id = ${tenantId}`)).length
    const url = `${path}/${template.id}/render`
    const key = { 'idempotency-key': randomUUID() }
    const first = await other.post(url, { conversation_id: about.id }, key)
    shows(first, 'one')
    await other.patch(`/v1/conversations/${about.id}`, { subject: 'two' })
    const known = await events()
    const again = await other.post(url, { conversation_id: about.id }, key)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    shows(await other.post(url, { conversation_id: about.id }), 'two')
    assert.equal(await events(), known)

    const reader = await withScopes('message_templates:read')
    const lacking = await reader.post(url, { conversation_id: about.id })
    assert.equal(lacking.status, 403)
    assert.deepEqual(lacking.body.params, { scope: 'conversations:read' })
    const foreign = await client.post(`${path}/${(await create(client, {})).body.id}/render`, {
      conversation_id: about.id,
    })
    refused(foreign, '/conversation_id', 'not_found')
  })
})

describe('limits', () => {
  const long = 'x'.repeat(60_000)
  const needle = `${'a'.repeat(16_000)}b${'a'.repeat(16_000)}`
  const apart = { low: '9007199254740992', high: '9007199254740994' }
  const nested = '{% for i in (1..1000) %}'.repeat(3) + '{% endfor %}'.repeat(3)
  const doubling = (step: string) => `{% for i in (1..200) %}${step}{% endfor %}`
  const harmful: Record<string, [body: string, variables?: object]> = {
    'a long loop': ['{% for i in (1..100000000) %}{% endfor %}'],
    'nested loops': [nested],
    'a range whose ends are one double': ['{% for i in (9007199254740992..9007199254740994) %}{% endfor %}'],
    'such a range of variables': ['{{ (low..high) | size }}', apart],
    'a text that is appended to itself': [
      `{% assign t = "xxxx" %}${doubling('{% assign t = t | append: t %}')}`,
    ],
    'a text that captures itself twice': [
      `{% assign t = "xxxx" %}${doubling('{% capture t %}{{ t }}{{ t }}{% endcapture %}')}`,
    ],
    'a list that is added to itself': [
      `{% assign l = "a,b" | split: "," %}${doubling('{% assign l = l | concat: l %}')}`,
    ],
    'a text that is replaced by more': ['{{ long | replace: "x", long | size }}', { long }],
    'a number that is padded': ['{{ now | date: "%100000000Y" }}'],
    'a long text sought in a longer one': [
      '{% if hay contains needle %}{% endif %}',
      { needle, hay: 'a'.repeat(60_000) },
    ],
    'a long text removed from a longer one': [
      '{{ hay | remove_last: needle }}',
      { needle, hay: 'a'.repeat(60_000) },
    ],
    'a long path looked up in every item of a list': [
      '{{ items | where: path | size }}',
      { items: Array.from({ length: 1000 }, () => ({ a: 1 })), path: 'a.'.repeat(1000) },
    ],
    'a list that is sorted again and again': [
      `{% assign l = long | split: "" %}{{ l${' | sort'.repeat(1000)} | size }}`,
      { long },
    ],
  }
  for (const [what, [body, variables = {}]] of Object.entries(harmful)) {
    test(`${what} is refused`, async () => {
      const { render } = await desk()
      refused(
        await render(body, { variables }),
        '',
        'too_large',
        /^cannot be rendered: the template .*\(line 1, column \d+\)$/,
      )
    })
  }

  test('a text has at most 65,536 characters, of any width', async () => {
    const { render } = await desk()
    const half = '😀'.repeat(32_768)
    const full = await render('{{ half }}{{ half }}', { variables: { half } })
    shows(full, half + half)
    refused(await render('{{ half }}{{ half }}!', { variables: { half } }), '', 'too_long')
    refused(
      await render('{% for i in (1..6000) %}{{ long }}{% endfor %}', { variables: { long } }),
      '',
      'too_long',
    )
  })

  test('what has no text is refused, not shown as [object Object] or NaN', async () => {
    const { render } = await desk()
    refused(await render('{{ conversation }}'), '', 'bad_format', /an object/)
    refused(await render('{{ 1 | divided_by: 0 }}'), '', 'bad_format', /calculation/)
    refused(await render('{{ now | date: "%H", "No/Where" }}'), '', 'bad_format', /invalid value/)
  })

  test('variables are at most five deep, without NUL, and no more than 100', async () => {
    const { render } = await desk()
    const deep = { a: { b: { c: { d: 'e' } } } }
    shows(await render('{{ v.a.b.c.d }}', { variables: { v: deep } }), 'e')
    refused(await render('x', { variables: { v: { v: deep } } }), '/variables/v/v/a/b/c', 'wrong_type')
    refused(await render('x', { variables: { v: ['\0'] } }), '/variables/v/0', 'bad_format')
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`v${i}`, i]))
    refused(await render('x', { variables: many }), '/variables', 'too_long')
  })
})
