import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { createStore, type Store } from '../browser/store.ts'
import type { IconName } from '../design/Icon.tsx'

/**
 * Something that a person can do now. The command palette lists it, and its shortcut runs it: a key such as `r`,
 * `mod k`, or two keys one after the other, `g i`.
 */
export type Command = {
  label: string
  group: string
  /** Lets other parts of the page find the command. */
  name?: string
  icon?: IconName
  shortcut?: string
  /** Its shortcut is meant if others have the same. */
  precedes?: boolean
  /** A key that is held down runs it again and again. */
  repeats?: boolean
  /** @param isHeldDown the key repeats */
  run(isHeldDown?: boolean): void
}

type Registry = Store<Command[]> & {
  register(id: string, commands: Command[]): void
  remove(id: string): void
}

function openRegistry(): Registry {
  const registered = new Map<string, Command[]>()
  const all = createStore<Command[]>([])
  const changed = () => all.set([...registered.values()].reverse().flat()) // the innermost component comes first
  return {
    ...all,
    register(id, commands) {
      registered.set(id, commands)
      changed()
    },
    remove(id) {
      registered.delete(id)
      changed()
    },
  }
}

const Commands = createContext<Registry | null>(null)

const sequenceMs = 1_000

/** Dialogs, popovers and menus, but not the messages at the corner, which are dialogs as well. */
const takesKeys = '[role="dialog"]:not([data-type]), [role="menu"]'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The shortcut of a key press, as commands write it. */
function pressed(event: KeyboardEvent): string {
  const key = event.key.toLowerCase()
  const mod = event.metaKey || event.ctrlKey ? 'mod ' : ''
  const shift = event.shiftKey && key.length > 1 ? 'shift ' : ''
  return `${mod}${shift}${key}`
}

export function CommandsProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(openRegistry, [])
  useEffect(() => {
    let before = ''
    let beforeMs = 0
    const onKey = (event: KeyboardEvent) => {
      const key = pressed(event)
      const isModified = key.startsWith('mod ')
      if (event.altKey || event.defaultPrevented || (isTyping(event.target) && !isModified)) return
      if (!isModified && document.querySelector(takesKeys)) return
      const sequence = Date.now() - beforeMs < sequenceMs ? `${before} ${key}` : key
      const commands = registry.get()
      const find = (keys: string) => {
        const meant = commands.filter(({ shortcut }) => shortcut === keys)
        return meant.find(({ precedes }) => precedes) ?? meant[0]
      }
      const command = find(sequence) ?? find(key)
      before = command ? '' : key
      beforeMs = Date.now()
      if (!command) return
      event.preventDefault()
      if (!event.repeat || command.repeats) command.run(event.repeat)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [registry])
  return <Commands.Provider value={registry}>{children}</Commands.Provider>
}

function useRegistry(): Registry {
  const registry = useContext(Commands)
  if (!registry) throw new Error('There is no CommandsProvider')
  return registry
}

/** Offers commands while the component is on the page. */
export function useCommands(commands: Command[]): void {
  const registry = useRegistry()
  const id = useId()
  const latest = useRef(commands)
  // Before the next key press, which may come before the page is painted.
  useLayoutEffect(() => {
    latest.current = commands
  })
  const shape = commands.map(({ label, group, shortcut }) => `${group}/${label}/${shortcut ?? ''}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for all that is shown of the commands.
  useLayoutEffect(() => {
    const offered = latest.current.map((command, i) => ({
      ...command,
      run: (isHeldDown?: boolean) => latest.current[i]?.run(isHeldDown),
    }))
    registry.register(id, offered)
    return () => registry.remove(id)
  }, [registry, id, shape])
}

export function useAllCommands(): Command[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.get)
}

/** A command that another part of the page offers; undefined while it does not. */
export const useCommand = (name: string): Command | undefined =>
  useAllCommands().find((command) => command.name === name)
