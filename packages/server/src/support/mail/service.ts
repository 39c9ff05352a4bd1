import type { BlockList } from 'node:net'
import { openRelays, type Relays } from './smtp/relays.ts'

declare module '../../platform/unit-of-work/context.ts' {
  interface Services {
    mail: MailService
  }
}

/** The ways in and out for mail, in each process. */
export type MailService = {
  /** A mail has arrived: it is processed soon, if this process does background work. */
  wake(): void
  /** A mail is to be sent: it is handed over soon, if this process does background work. */
  wakeSender(): void
  /** The number of mails from one address that make a message in an hour; 0 for any. */
  perAddressPerHour: number
  /** The client of mail relays, which is opened for the first mail. */
  relays(): Relays
  /** Closes idle connections to relays. */
  close(): void
}

/** @param networks the relays in them may be private, use any port and no TLS */
export function openMailService({
  networks,
  ...service
}: Pick<MailService, 'wake' | 'wakeSender' | 'perAddressPerHour'> & { networks: BlockList }): MailService {
  let opened: Relays | null = null
  return {
    ...service,
    relays() {
      opened ??= openRelays({ allowed: networks })
      return opened
    },
    close: () => opened?.close(),
  }
}
