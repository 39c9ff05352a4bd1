/* Values that conversations share with the resources below them. */

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const channels = ['api', 'chat', 'email', 'web', 'mobile', 'phone', 'social', 'other'] as const
export const bodyFormats = ['text', 'markdown'] as const
/** Per conversation. */
export const maxTags = 100
