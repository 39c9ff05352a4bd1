import { createContext, useContext } from 'react'

/** The ways from a conversation to others of the list. */
export type Going = {
  /** There is nothing more to do here: opens what the person wants to see next. */
  on(): void
  /** Opens this conversation again. */
  back(): void
}

const Current = createContext<Going>({ on: () => undefined, back: () => undefined })

export const GoingProvider = Current.Provider
export const useGoing = (): Going => useContext(Current)
