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
  /** Where it is listed: with what the page does, by default; with the places to go to; or with settings. */
  place?: 'go' | 'setting'
  /** It ends, removes or refuses something: it is listed last. */
  isDangerous?: boolean
  /** Its shortcut is meant if others have the same. */
  precedes?: boolean
  /** A key that is held down runs it again and again. */
  repeats?: boolean
  /** The things among which it chooses: the palette finds each by its name. */
  choices?(): Command[]
  /** @param isHeldDown the key repeats */
  run(isHeldDown?: boolean): void
}

/** A key that an element handles itself, while it has the focus. Only the list of keys shows it. */
export type Key = Required<Pick<Command, 'label' | 'group' | 'shortcut'>>

type Registry<Item> = Store<Item[]> & {
  register(id: string, items: Item[]): void
  remove(id: string): void
}

function openRegistry<Item>(): Registry<Item> {
  const registered = new Map<string, Item[]>()
  const all = createStore<Item[]>([])
  const changed = () => all.set([...registered.values()].reverse().flat()) // the innermost component comes first
  return {
    ...all,
    register(id, items) {
      registered.set(id, items)
      changed()
    },
    remove(id) {
      registered.delete(id)
      changed()
    },
  }
}

const openRegistries = () => ({ commands: openRegistry<Command>(), keys: openRegistry<Key>() })

const Registries = createContext<ReturnType<typeof openRegistries> | null>(null)

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
  const registries = useMemo(openRegistries, [])
  useLayoutEffect(() => {
    let before = ''
    let beforeMs = 0
    const onKey = (event: KeyboardEvent) => {
      const key = pressed(event)
      const isModified = key.startsWith('mod ')
      if (event.altKey || event.defaultPrevented || (isTyping(event.target) && !isModified)) return
      if (!isModified && document.querySelector(takesKeys)) return
      const sequence = Date.now() - beforeMs < sequenceMs ? `${before} ${key}` : key
      const commands = registries.commands.get()
      const command = commandFor(commands, sequence) ?? commandFor(commands, key)
      before = command ? '' : key
      beforeMs = Date.now()
      if (!command) return
      event.preventDefault()
      if (!event.repeat || command.repeats) command.run(event.repeat)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [registries])
  return <Registries.Provider value={registries}>{children}</Registries.Provider>
}

/** The command that a shortcut runs. */
export function commandFor(commands: Command[], keys: string): Command | undefined {
  const meant = commands.filter(({ shortcut }) => shortcut === keys)
  return meant.find(({ precedes }) => precedes) ?? meant[0]
}

function useRegistries() {
  const registries = useContext(Registries)
  if (!registries) throw new Error('There is no CommandsProvider')
  return registries
}

/** Offers commands while the component is on the page. */
export function useCommands(commands: Command[]): void {
  const { commands: registry } = useRegistries()
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
      ...(command.choices && { choices: () => latest.current[i]?.choices?.() ?? [] }),
      run: (isHeldDown?: boolean) => latest.current[i]?.run(isHeldDown),
    }))
    registry.register(id, offered)
    return () => registry.remove(id)
  }, [registry, id, shape])
}

export function useAllCommands(): Command[] {
  const { commands } = useRegistries()
  return useSyncExternalStore(commands.subscribe, commands.get)
}

/** Tells about keys of an element while it is on the page. */
export function useKeys(keys: Key[]): void {
  const { keys: registry } = useRegistries()
  const id = useId()
  const shape = JSON.stringify(keys)
  useEffect(() => {
    registry.register(id, JSON.parse(shape))
    return () => registry.remove(id)
  }, [registry, id, shape])
}

export function useAllKeys(): Key[] {
  const { keys } = useRegistries()
  return useSyncExternalStore(keys.subscribe, keys.get)
}

/** A command that another part of the page offers; undefined while it does not. */
export const useCommand = (name: string): Command | undefined =>
  useAllCommands().find((command) => command.name === name)
