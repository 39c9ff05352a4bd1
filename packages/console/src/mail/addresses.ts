import type { EmailAddress } from '@backline/sdk'

/** "Ada Lovelace <ada@example.net>", or the address alone. */
export const addressText = ({ name, address }: EmailAddress): string =>
  name === null ? address : `${name} <${address}>`

export const addressesText = (addresses: EmailAddress[]): string => addresses.map(addressText).join(', ')

/** The domain of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** A typo is found before the request; the server judges all else. */
export const isAddress = (text: string): boolean => /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,189}$/.test(text)
