import { ApiError, type Backline, type EphemeralEvent, type Event, type EventStream } from '@backline/sdk'
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
import { followTogether } from '../browser/shared-stream.ts'

/** An item of the stream: an event of the journal, or what is stored nowhere, such as that a person is typing. */
export type LiveEvent = Event | EphemeralEvent

export const isStored = (event: LiveEvent): event is Event => 'resource' in event

type Listener = (event: LiveEvent) => void
type Live = { listen(listener: Listener): () => void; isConnected: boolean; isLeading: boolean }

const Stream = createContext<Live>({
  listen: () => () => undefined,
  isConnected: false,
  isLeading: false,
})

type ProviderProps = {
  /** Tabs with the same name share a stream. */
  name: string
  backline: Backline
  onSignedOut(): void
  children: ReactNode
}

/** The events of the environment, from one stream for all tabs. */
export function LiveProvider({ name, backline, onSignedOut, children }: ProviderProps) {
  const cache = useQueryClient()
  const listeners = useRef(new Set<Listener>())
  const [isConnected, setConnected] = useState(false)
  const [isLeading, setLeading] = useState(false)

  useEffect(
    () =>
      followTogether<LiveEvent>(
        name,
        document,
        {
          open: (after, signal) =>
            backline.events.stream(
              { ephemeral: 'true', after: after ?? undefined },
              { signal },
            ) as EventStream<LiveEvent>,
          idOf: (event) => (isStored(event) ? event.id : null),
          isCursorInvalid: (error) => error instanceof ApiError && error.code === 'cursor_invalid',
          isSignedOut: (error) => error instanceof ApiError && error.status === 401,
        },
        {
          onItem(event) {
            for (const listener of listeners.current) listener(event)
          },
          onConnectionChange: setConnected,
          onGap: () => void cache.invalidateQueries(),
          onSignedOut,
          onLeadChange: setLeading,
        },
      ),
    [name, backline, cache, onSignedOut],
  )

  const listen = useCallback((listener: Listener) => {
    listeners.current.add(listener)
    return () => void listeners.current.delete(listener)
  }, [])
  const live = useMemo(() => ({ isConnected, isLeading, listen }), [isConnected, isLeading, listen])
  return <Stream.Provider value={live}>{children}</Stream.Provider>
}

export const useIsLive = (): boolean => useContext(Stream).isConnected

/** Whether this tab does what needs to be done by one tab only. */
export const useIsLeading = (): boolean => useContext(Stream).isLeading

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
