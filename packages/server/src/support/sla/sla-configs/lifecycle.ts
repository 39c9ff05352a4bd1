/** Jobs that changes of SLA configs schedule; conversations declare them. */
export const slaJobs = { follow: 'sla_config_follow', secondLook: 'sla_config_second_look' } as const

/** Longer than a statement that started under the previous terms may run. */
export const secondLookSeconds = 15
