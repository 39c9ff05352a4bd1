import { type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { messageTemplates } from './entity.ts'
import { variablesOf } from './liquid.ts'
import { TemplateFault } from './liquid-faults.ts'
import { sameLocale } from './locales.ts'
import type { MessageTemplate } from './queries.ts'
import { type MessageTemplatePatch, maxVariables, type NewMessageTemplate } from './schema.ts'

export async function createMessageTemplate(
  change: Change,
  input: NewMessageTemplate,
): Promise<MessageTemplate> {
  const { name, folder = null, body, body_format = 'text', locale = null, variants = [] } = input
  const texts = { body, locale, variants }
  const variables = await checked(change, texts, input)
  return change.rows.create(messageTemplates, {
    ...change.stamp(),
    name,
    folder,
    body_format,
    ...texts,
    variables,
    archived: input.archived ?? false,
    usage_count: 0,
  })
}

export async function updateMessageTemplate(
  change: Change,
  id: string,
  patch: MessageTemplatePatch,
): Promise<MessageTemplate> {
  const former = await change.rows.load(messageTemplates, id)
  const rewritten = 'body' in patch || 'locale' in patch || 'variants' in patch
  return change.rows.update(messageTemplates, former, {
    ...patch,
    ...(rewritten ? { variables: await checked(change, { ...former, ...patch }, patch) } : {}),
  })
}

export async function deleteMessageTemplate(change: Change, id: string): Promise<void> {
  change.rows.remove(messageTemplates, await change.rows.load(messageTemplates, id))
}

type Texts = Pick<MessageTemplate, 'body' | 'locale' | 'variants'>

/**
 * The variables of all bodies, after checking that they are valid templates, one per language.
 * @param sent the request, for the pointers of errors
 */
async function checked(
  change: Change,
  { body, locale, variants }: Texts,
  sent: Partial<Texts>,
): Promise<string[]> {
  const faults: FieldError[] = []
  const variables = new Set<string>()
  const read = async (text: string, pointer: string) => {
    try {
      for (const path of await variablesOf(change.ctx, text)) variables.add(path)
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error
      faults.push({ pointer, code: error.code, detail: error.message })
    }
  }
  await read(body, '/body')
  for (const [i, variant] of variants.entries()) {
    await read(variant.body, `/variants/${i}/body`)
    const earlier = variants.slice(0, i).some((each) => sameLocale(each.locale, variant.locale))
    const own = locale !== null && sameLocale(locale, variant.locale)
    if (!earlier && !own) continue
    const detail = own
      ? 'must differ from the locale of the template'
      : 'must not repeat the locale of another variant'
    const pointer = sent.variants ? `/variants/${i}/locale` : '/locale'
    faults.push({
      pointer,
      code: 'not_allowed',
      detail: sent.variants ? detail : 'must differ from the locales of the variants',
    })
  }
  if (variables.size > maxVariables) {
    const detail = `must use at most ${maxVariables} variables together with the variants, not ${variables.size}`
    faults.push({ pointer: sent.body === undefined ? '/variants' : '/body', code: 'too_long', detail })
  }
  if (faults.length > 0) throw invalidBody(...faults)
  return [...variables].sort()
}
