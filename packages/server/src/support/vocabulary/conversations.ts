/* Values that conversations share with the resources that they are built upon. */

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const channels = ['api', 'chat', 'email', 'web', 'mobile', 'phone', 'social', 'other'] as const
export const bodyFormats = ['text', 'markdown'] as const
/** Of one conversation. */
export const maxTags = 100
