export const directions = ['inbound', 'outbound'] as const
/** How a mail was sent without a person: as an answer, by a program, or to many. */
export const automaticKinds = ['reply', 'generated', 'bulk'] as const
export const bases = ['dmarc', 'reply'] as const
