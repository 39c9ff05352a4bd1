/** Work that changes of SLA configs appoint; conversations do it. */
export const slaJobs = { follow: 'sla_config_follow', secondLook: 'sla_config_second_look' } as const

/** Longer than a statement may take that began under the former terms. */
export const secondLookSeconds = 15
