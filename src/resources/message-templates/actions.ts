import type { Change } from '../../db/change.ts'
import { References, refuseTaken } from '../../db/references.ts'
import { ApiError, type FieldError, invalidBody } from '../../lib/errors.ts'
import { conversations } from '../conversations/entity.ts'
import { actingOperator } from '../operators/actions.ts'
import { messageTemplates } from './entity.ts'
import { parseTemplate } from './liquid.ts'
import { TemplateFault } from './liquid-faults.ts'
import { sameLocale } from './locales.ts'
import { findTemplateByName, type MessageTemplate } from './queries.ts'
import { renderTemplate } from './rendering.ts'
import {
  type MessageTemplatePatch,
  maxVariables,
  type NewMessageTemplate,
  type RenderRequest,
  type Rendition,
} from './schema.ts'

export { renderTemplate } from './rendering.ts'

export function createMessageTemplate(change: Change, input: NewMessageTemplate): MessageTemplate {
  const { name, folder = null, body, body_format = 'text', locale = null, variants = [] } = input
  const texts = { body, locale, variants }
  const template = change.create(messageTemplates, {
    ...change.stamp(),
    name,
    folder,
    body_format,
    ...texts,
    variables: checked(texts, input),
    archived: input.archived ?? false,
    usage_count: 0,
  })
  refuseTakenName(change, template)
  return template
}

export async function updateMessageTemplate(
  change: Change,
  id: string,
  patch: MessageTemplatePatch,
): Promise<MessageTemplate> {
  const former = await change.target(messageTemplates, id)
  const rewritten = 'body' in patch || 'locale' in patch || 'variants' in patch
  const template = change.update(messageTemplates, former, {
    ...patch,
    ...(rewritten ? { variables: checked({ ...former, ...patch }, patch) } : {}),
  })
  refuseTakenName(change, template)
  return template
}

export async function deleteMessageTemplate(change: Change, id: string): Promise<void> {
  change.remove(messageTemplates, await change.target(messageTemplates, id))
}

/** What a template says for a conversation. Writes nothing; the answer is kept for replays. */
export async function previewMessageTemplate(
  change: Change,
  id: string,
  { conversation_id, variables, locale }: RenderRequest,
): Promise<Rendition> {
  if (!change.ctx.allows('conversations:read'))
    throw new ApiError('scope_missing', { scope: 'conversations:read' })
  const template = await change.target(messageTemplates, id)
  const references = new References(change)
  const conversation = await references.to(conversations, '/conversation_id', conversation_id)
  references.check()
  const operator = await actingOperator(change)
  return renderTemplate(change, template, { conversation: conversation!, operator, variables, locale })
}

type Texts = Pick<MessageTemplate, 'body' | 'locale' | 'variants'>

/**
 * The variables of all bodies, once these are found to be templates, in one language each.
 * @param sent the request, which a fault must point into
 */
function checked({ body, locale, variants }: Texts, sent: Partial<Texts>): string[] {
  const faults: FieldError[] = []
  const variables = new Set<string>()
  const read = (text: string, pointer: string) => {
    try {
      for (const path of parseTemplate(text).variables) variables.add(path)
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error
      faults.push({ pointer, code: error.code, detail: error.message })
    }
  }
  read(body, '/body')
  variants.forEach((variant, i) => {
    read(variant.body, `/variants/${i}/body`)
    const earlier = variants.slice(0, i).some((each) => sameLocale(each.locale, variant.locale))
    const own = locale !== null && sameLocale(locale, variant.locale)
    if (!earlier && !own) return
    const detail = own ? "is the locale of the template's own body" : 'repeats the locale of another variant'
    const pointer = sent.variants ? `/variants/${i}/locale` : '/locale'
    faults.push({
      pointer,
      code: 'not_allowed',
      detail: sent.variants ? detail : 'is the locale of a variant',
    })
  })
  if (variables.size > maxVariables) {
    const detail = `refers to ${variables.size} variables with its variants; at most ${maxVariables} are possible`
    faults.push({ pointer: sent.body === undefined ? '/variants' : '/body', code: 'too_long', detail })
  }
  if (faults.length > 0) throw invalidBody(...faults)
  return [...variables].sort()
}

const refuseTakenName = (change: Change, template: MessageTemplate): void =>
  refuseTaken(change, messageTemplates, template, 'name', () =>
    findTemplateByName(change.db, change.tenantId, template.name),
  )
