import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Load, Loads, Target } from './load.ts'
import { makeWords, randomNumbers, unevenly } from './words.ts'

const size = { articles: 20_000, words: 30_000, queries: 500, writers: 16 }
const lengths = { title: 6, excerpt: 15, body: 200 }
const locales = ['en', 'de', 'pt-BR']

/** A knowledge base with the word distribution of a natural language (Zipf). @returns searches in it */
export async function prepareKnowledge(client: pg.Client, target: Target): Promise<Loads> {
  const random = randomNumbers(20_261_121)
  const words = makeWords(size.words, random)
  const text = (length: number) => Array.from({ length }, () => unevenly(words, random)).join(' ')
  const titles: string[] = []
  const begun = performance.now()
  const next = () => {
    const i = titles.push(text(lengths.title))
    return { i, title: titles[i - 1]!, excerpt: text(lengths.excerpt), body: markdown(text, random) }
  }
  await Promise.all(
    Array.from({ length: size.writers }, async () => {
      while (titles.length < size.articles) {
        const { i, ...article } = next()
        const { id } = await post(target, '/v1/kb/articles', {
          ...article,
          slug: `article-${i}`,
          locale: locales[i % 3],
        })
        await post(target, `/v1/kb/articles/${id}/publish`, {})
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  console.error(`${size.articles} articles were created and published in ${seconds.toFixed(0)} s`)
  await client.query('vacuum analyze kb_articles, search_documents, search_words')
  const some = Array.from({ length: size.queries }, () =>
    titles[Math.floor(random() * titles.length)]!.split(' '),
  )
  const one = some.map(([word]) => word!)
  const two = some.map(([word, , , other]) => `${word} ${other}`)
  const unfinished = two.map((query) => query.slice(0, -2))
  const misspelt = some.map((title) => misspell(title.toSorted((a, b) => b.length - a.length)[0]!, random))
  const frequent = words.slice(0, 5)
  return {
    'knowledge: one word': searches(one),
    'knowledge: two words of a title': searches(two),
    'knowledge: two words, the last unfinished': searches(unfinished),
    'knowledge: a misspelt word': searches(misspelt),
    'knowledge: words that a third of the articles have': searches(frequent),
    'knowledge: all of these in turn': searches(
      Array.from(
        { length: size.queries },
        (_, i) => [one, two, unfinished, two, unfinished, misspelt][i % 6]![i]!,
      ),
    ),
    'knowledge: all of these, in a language': searches(
      Array.from({ length: size.queries }, (_, i) => [one, two, unfinished][i % 3]![i]!),
      '&locale=pt-BR',
    ),
  }
}

const searches =
  (queries: string[], rest = '') =>
  (): Load => ({
    method: 'GET',
    paths: queries.map((query) => `/v1/kb/search?q=${encodeURIComponent(query)}${rest}`),
  })

function markdown(text: (length: number) => string, random: () => number): string {
  const paragraphs = Array.from({ length: 4 }, () => `${text(lengths.body / 4)}.`)
  return `## ${text(3)}\n\n${paragraphs.join('\n\n')}\n\n- **${text(4)}**\n- [${text(2)}](https://example.com/${Math.floor(random() * 1000)})`
}

/** Swaps two letters. */
function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  return word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2)
}

async function post(target: Target, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(target.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${target.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string }
}
