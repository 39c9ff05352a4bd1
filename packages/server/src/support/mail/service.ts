declare module '../../platform/unit-of-work/context.ts' {
  interface Services {
    mail: MailService
  }
}

/** The way in for mail, in each process. */
export type MailService = {
  /** A mail has arrived: it is processed soon, if this process does background work. */
  wake(): void
  /** The number of mails from one address that make a message in an hour; 0 for any. */
  perAddressPerHour: number
}
