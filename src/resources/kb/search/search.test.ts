import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, service } from '../../../../test/harness.ts'

const api = service()

test('smoke', async () => {
  const { test: c } = await api.world()
  const a = await c.post('/v1/kb/articles', {
    title: 'Why was my card declined?',
    body: 'Most often the **limit** is reached. <script>x</script> [a](javascript:alert(1)) <a href="https://x.de" onclick=x>y</a>\n\n|a|b|\n|:-|-|\n|1|2|',
    locale: 'en',
  })
  console.log(a.text)
  console.log((await c.post(`/v1/kb/articles/${a.body.id}/publish`)).text)
  for (const q of ['card', 'limi', 'crd declined', 'declinde', 'limit xyzzy', 'refund'])
    console.log(
      q,
      (await c.get('/v1/kb/search?q=' + encodeURIComponent(q))).text.replace(
        /"article".*?"snippet"/,
        '"snippet"',
      ),
    )
})
