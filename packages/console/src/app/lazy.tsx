import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../browser/store.ts'
import { ErrorState } from '../design/States.tsx'

/**
 * Components of a module whose code is loaded when one of them is first shown, or before by `load`; after a failure
 * when one is shown again. Unlike those of `lazy`, they are shown without a placeholder if the code is there.
 * @param meanwhile stands in their place until then
 */
export function lazyModule<Module>(read: () => Promise<Module>, meanwhile: ReactNode = null) {
  const store = createStore<{ module: Module } | { error: unknown } | null>(null)
  let loading: Promise<void> | undefined
  const load = () => {
    loading ??= read().then(
      (module) => store.set({ module }),
      (error: unknown) => {
        loading = undefined
        store.set({ error })
      },
    )
    return loading
  }
  const component = <Props extends object>(pick: (module: Module) => ComponentType<Props>) =>
    function Lazy(props: Props): ReactNode {
      const state = useSyncExternalStore(store.subscribe, store.get)
      useEffect(() => void load(), [])
      if (state === null) return meanwhile
      // After an update of the server, files of the page have other names.
      if ('error' in state) return <ErrorState error={state.error} onRetry={() => location.reload()} />
      const Loaded = pick(state.module)
      return <Loaded {...props} />
    }
  return Object.assign(component, { load })
}

/** A component whose code is loaded in the same way. */
export function lazyComponent<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
) {
  const module = lazyModule(read, meanwhile)
  return Object.assign(
    module((Loaded) => Loaded),
    { load: module.load },
  )
}

/** Runs once the browser has nothing else to do. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run)
  else setTimeout(run, 500) // Safari
}
