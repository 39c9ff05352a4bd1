import type { MessageTemplate, MessageTemplateVariant } from '@backline/sdk'

export type TemplateDraft = {
  name: string
  folder: string
  body: string
  body_format: MessageTemplate['body_format']
  locale: string
  variants: MessageTemplateVariant[]
}
