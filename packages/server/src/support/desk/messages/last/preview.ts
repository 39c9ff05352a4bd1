import { onOneLine, plainTextOf } from '../../../../platform/kernel/markdown.ts'
import { type Caller, TookTooLong } from '../../../../platform/kernel/threads.ts'
import type { Message } from '../queries.ts'

/** In code points. */
export const maxTextLength = 140

/** Texts are read up to here: what follows is not shown, even if all of this is a table or HTML. */
export const maxReadLength = 16_384

type Text = Pick<Message, 'body' | 'body_format'>

/** The worst text of this length is parsed within a millisecond, so it needs no thread. */
const isSmall = ({ body, body_format }: Text) => body_format === 'text' || body.length <= 2_000

/** The beginnings of texts, each on one line and without marks. Markdown that takes too long keeps its marks. */
export async function previewsOf({ env, services }: Caller, texts: Text[]): Promise<string[]> {
  if (texts.every(isSmall)) return previews(texts)
  try {
    return await services.threads.run(env.tenantId, import.meta.url, previews, texts)
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error
    return texts.map((each) => shortened(onOneLine(each.body)))
  }
}

export const previews = (texts: Text[]): string[] =>
  texts.map(({ body, body_format }) =>
    shortened(body_format === 'text' ? onOneLine(body) : plainTextOf(body)),
  )

function shortened(text: string): string {
  if (text.length <= maxTextLength) return text
  const characters = [...text]
  return characters.length <= maxTextLength ? text : `${characters.slice(0, maxTextLength - 1).join('')}…`
}
