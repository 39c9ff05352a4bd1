import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Failed } from '../design/States.tsx'

type Deferred<Props> = ComponentType<Props> & {
  /** Loads the code before it is needed. After a failure, the component tries again when it is shown. */
  load(): Promise<void>
}

type State<Props> = { Loaded: ComponentType<Props> | null; error: unknown }

/**
 * A component whose code is loaded when it is first shown, or before by `load`. Unlike `lazy`, it is shown without a
 * placeholder if its code is there, and otherwise as soon as it is: React keeps placeholders of `Suspense` for 300 ms.
 * @param meanwhile stands in its place until then
 */
export function deferred<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): Deferred<Props> {
  let state: State<Props> = { Loaded: null, error: null }
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const set = (next: State<Props>) => {
    state = next
    for (const listener of listeners) listener()
  }
  const load = () => {
    loading ??= read().then(
      (Loaded) => set({ Loaded, error: null }),
      (error: unknown) => {
        loading = undefined
        set({ Loaded: null, error })
      },
    )
    return loading
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  function Deferred(props: Props) {
    const { Loaded, error } = useSyncExternalStore(subscribe, () => state)
    useEffect(() => void load(), [])
    if (Loaded) return <Loaded {...props} />
    // After an update of the server, files of the page have other names.
    return error ? <Failed error={error} onRetry={() => location.reload()} /> : meanwhile
  }
  return Object.assign(Deferred, { load })
}

/** Runs once the browser has nothing else to do. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run)
  else setTimeout(run, 500) // Safari
}
