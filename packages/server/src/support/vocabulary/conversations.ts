/* Values that conversations share with the resources below them. */

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const channels = ['api', 'chat', 'email', 'web', 'mobile', 'phone', 'social', 'other'] as const
export const bodyFormats = ['text', 'markdown'] as const
/** The orders in which `claim_next` offers conversations. */
export const claimOrders = ['waiting', 'due', 'priority'] as const
export type ClaimOrder = (typeof claimOrders)[number]
/** Per conversation. */
export const maxTags = 100
