import type { Backline, EphemeralEvent, Event } from '@backline/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

/** An item of the stream: an event of the journal, or what is stored nowhere, such as that a person is typing. */
export type LiveEvent = Event | EphemeralEvent

export const isStored = (event: LiveEvent): event is Event => 'resource' in event

type Listener = (event: LiveEvent) => void
type Live = { listen(listener: Listener): () => void; isConnected: boolean }

const Stream = createContext<Live>({ listen: () => () => undefined, isConnected: false })

const pauseMs = 2_000

/** One stream of events for the whole page. It is resumed where it ended, so that nothing is missed. */
export function LiveProvider({ backline, children }: { backline: Backline; children: ReactNode }) {
  const listeners = useRef(new Set<Listener>())
  const [isConnected, setConnected] = useState(false)

  useEffect(() => {
    const stop = new AbortController()
    let cursor: string | undefined
    async function follow(): Promise<void> {
      while (!stop.signal.aborted) {
        const stream = backline.events.stream({ ephemeral: 'true', after: cursor }, { signal: stop.signal })
        stream.onConnectionChange = setConnected
        try {
          for await (const event of stream as AsyncIterable<LiveEvent>)
            for (const listener of listeners.current) listener(event)
        } catch {
          // The server refuses, such as while a session has ended: it is asked again.
        }
        cursor = stream.cursor ?? undefined
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    void follow()
    return () => stop.abort()
  }, [backline])

  const listen = useCallback((listener: Listener) => {
    listeners.current.add(listener)
    return () => void listeners.current.delete(listener)
  }, [])
  const live = useMemo(() => ({ isConnected, listen }), [isConnected, listen])
  return <Stream.Provider value={live}>{children}</Stream.Provider>
}

export const useIsLive = (): boolean => useContext(Stream).isConnected

/** Calls the listener with each event while the component is on the page. */
export function useLiveEvents(listener: Listener): void {
  const { listen } = useContext(Stream)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => listen((event) => latest.current(event)), [listen])
}

/** Marks queries as stale when the component leaves the page: no event brings them up to date any more. */
export function useStaleAfterwards(keys: readonly QueryKey[]): void {
  const cache = useQueryClient()
  useEffect(
    () => () =>
      // Reads that end with the component restore the state from before them: they come first.
      queueMicrotask(() => {
        for (const queryKey of keys) void cache.invalidateQueries({ queryKey, refetchType: 'none' })
      }),
    [cache, keys],
  )
}
