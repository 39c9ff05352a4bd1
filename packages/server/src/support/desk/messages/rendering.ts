import { ApiError, type FieldError, invalidBody } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { messageTemplates } from '../../catalogue/message-templates/entity.ts'
import { render } from '../../catalogue/message-templates/liquid.ts'
import { TemplateFault } from '../../catalogue/message-templates/liquid-faults.ts'
import { bodyFor } from '../../catalogue/message-templates/locales.ts'
import type { MessageTemplate } from '../../catalogue/message-templates/queries.ts'
import type { RenderRequest, Rendition } from '../../catalogue/message-templates/schema.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { shownValues } from '../../properties/custom-fields/values/shown.ts'
import { actingOperator } from '../../team/operators/actions.ts'
import { conversations } from '../conversations/entity.ts'
import type { Conversation } from '../conversations/queries.ts'

/** The acting operator for templates. */
type ActingOperator = { id: string; name: string; email: string | null }

type Occasion = {
  conversation: Conversation
  operator?: ActingOperator | null
  variables?: Record<string, unknown> | undefined
  /** The requested language; the conversation's by default. */
  locale?: string | null | undefined
  /** The field that selected the template; empty if the path did. */
  pointer?: string
}

/** The maximum number of reported variables. */
const maxToldVariables = 100

/**
 * Renders a template for a conversation. The caller checks whether the template may be used (it may be archived).
 * @throws ApiError `template_variable_missing` with all variables without a value; `validation_failed` at
 * `/variables/…` for reserved names, and at `pointer` for a template that cannot be rendered
 */
export async function renderTemplate(
  change: Change,
  template: MessageTemplate,
  { conversation, operator = null, variables = {}, locale, pointer = '' }: Occasion,
): Promise<Rendition> {
  const standard = await standardVariables(change, conversation, operator)
  refuseShadowing(variables, standard)
  const chosen = bodyFor(template, locale ?? conversation.language)
  try {
    const scope = { variables: { ...variables, ...standard }, now: change.now, locale: chosen.locale }
    const { text, missing } = await render(change.ctx, chosen.body, scope)
    if (missing.length > 0) throw missingVariables(missing)
    return { body: text, body_format: template.body_format, locale: chosen.locale }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw invalidBody({
      pointer,
      code: error.code,
      detail: `cannot be rendered: the template ${error.message}`,
    })
  }
}

/**
 * Renders a short text with the variables of templates; what has no value is empty. So is a text that cannot be
 * rendered, since the limits have changed.
 */
export async function renderText(
  change: Change,
  text: string,
  conversation: Conversation,
  operator: ActingOperator | null,
): Promise<string> {
  const variables = await standardVariables(change, conversation, operator)
  try {
    return (await render(change.ctx, text, { variables, now: change.now, locale: conversation.language }))
      .text
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    return ''
  }
}

async function standardVariables(
  change: Change,
  conversation: Conversation,
  operator: ActingOperator | null,
) {
  const { id, external_id } = conversation.end_user
  const endUser = id === null ? null : await change.rows.find(endUsers, id)
  return {
    conversation: {
      id: typeId('conv', conversation.id),
      subject: conversation.subject,
      external_user_id: conversation.end_user.external_id,
      status: conversation.status,
      priority: conversation.priority,
      language: conversation.language,
      metadata: conversation.metadata,
      custom_fields: shownValues(conversation.custom_fields),
    },
    operator: operator && { id: typeId('op', operator.id), name: operator.name, email: operator.email },
    end_user: {
      external_id,
      name: endUser?.name ?? null,
      email: endUser?.emails[0]?.address ?? null,
      language: endUser?.language ?? null,
      custom_fields: shownValues(endUser?.custom_fields ?? []),
    },
    now: change.now,
  }
}

function refuseShadowing(variables: Record<string, unknown>, standard: object): void {
  const faults = Object.keys(standard)
    .filter((name) => Object.hasOwn(variables, name))
    .map(
      (name): FieldError => ({
        pointer: `/variables/${name}`,
        code: 'not_allowed',
        detail: 'is a standard variable and cannot be set',
      }),
    )
  if (faults.length > 0) throw invalidBody(...faults)
}

function missingVariables(missing: string[]): ApiError {
  const variables = missing.slice(0, maxToldVariables)
  const detail = `The template requires values for ${variables.join(', ')}.`
  return new ApiError('template_variable_missing', { variables }, { detail })
}

/** Renders a template for a preview. It writes only the response, for replays. */
export async function previewMessageTemplate(
  change: Change,
  id: string,
  { conversation_id, variables, locale }: RenderRequest,
): Promise<Rendition> {
  requireScopes(change.ctx.principal.allows, 'conversations:read')
  const template = await change.rows.load(messageTemplates, id)
  const references = new References(change)
  const conversation = await references.to(conversations, '/conversation_id', conversation_id)
  references.check()
  const operator = await actingOperator(change)
  return renderTemplate(change, template, { conversation: conversation!, operator, variables, locale })
}
