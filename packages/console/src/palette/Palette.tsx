import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Command, useAllCommands } from '../app/commands.tsx'
import { useEnvironment } from '../data/environment.tsx'
import { Button } from '../design/Button.tsx'
import { Combobox, type ComboboxOption } from '../design/Combobox.tsx'
import { classes } from '../design/classes.ts'
import dialog from '../design/Dialog.module.css'
import { Icon } from '../design/Icon.tsx'
import { Row } from '../design/Layout.tsx'
import { focusOnOpening } from '../inbox/model/opening.ts'
import { texts as inboxTexts } from '../inbox/texts.ts'
import { builtInViews } from '../inbox/views/built-in.ts'
import { useSavedViews } from '../inbox/views/use-view.ts'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { kinds, prefixOf } from './objects.ts'
import styles from './Palette.module.css'
import { type Entry, found, listed } from './rank.ts'
import { texts } from './texts.ts'
import { type Shown, useFoundObjects, useKnownObjects } from './use-objects.ts'
import { latest, noteUse, readUses } from './uses.ts'

const mostRecent = 6

type PaletteProps = { onClose(): void }

/** Everything that can be done or opened now, by typing a part of its name. */
export function Palette({ onClose }: PaletteProps) {
  const text = useTexts(texts)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={classes(dialog.backdrop, styles.backdrop)} />
        <Dialog.Popup className={classes(dialog.popup, dialog.centre, styles.popup)}>
          <Dialog.Title className="visually-hidden">{text.palette}</Dialog.Title>
          <Choice onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choice({ onClose }: PaletteProps) {
  const text = useTexts(texts)
  const environment = useEnvironment()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const [uses] = useState(() => readUses(environment))
  const query = typed.trim()
  const entries = useEntries()
  const usesOf = (id: string) => uses[id]?.count ?? 0
  const recentIds = latest(uses)
    .filter(
      (id) => isObject(id, environment.can) || entries.some((each) => each.id === id && !each.isDangerous),
    )
    .slice(0, mostRecent)
  const known = useKnownObjects(
    recentIds.filter((id) => prefixOf(id) && !entries.some((each) => each.id === id)),
  )
  const objects = useFoundObjects(query)
  const optionOfObject = useObjectOption()

  const ofEntry = (entry: Entry, group = entry.group): ComboboxOption => ({
    id: entry.id,
    label: entry.label,
    note: group === entry.group ? undefined : entry.group,
    group,
    picture: <Icon name={entry.icon ?? 'chevronRight'} />,
    shortcut: entry.shortcut,
    isFound: true,
  })
  const isRecent = (id: string) => recentIds.includes(id)
  const recent = recentIds.flatMap((id) => {
    const entry = entries.find((each) => each.id === id)
    const object = known.find((each) => each.id === id)
    if (entry) return [ofEntry(entry, text.recent)]
    return object ? [{ ...optionOfObject(object), group: text.recent, isFound: true }] : []
  })
  const options =
    query === ''
      ? [
          ...recent,
          ...listed(
            entries.filter(({ id }) => !isRecent(id)),
            usesOf,
          ).map((each) => ofEntry(each)),
        ]
      : [
          ...found(entries, query, usesOf).map((each) => ofEntry(each)),
          // What is found later stands behind what a person may be about to choose.
          ...objects.found.map(optionOfObject),
        ]
  const choose = (id: string) => {
    noteUse(environment, id)
    onClose()
    const entry = entries.find((each) => each.id === id)
    if (entry) return entry.run()
    const path = [...objects.found, ...known].find((each) => each.id === id)?.found?.path
    if (!path) return
    if (prefixOf(id) === 'conv') focusOnOpening(id)
    navigate(`/${environment.name}/${path}`)
    dispatchEvent(new HashChangeEvent('hashchange')) // for a message of the conversation that is open
  }
  return (
    <Combobox
      size="large"
      title={text.palette}
      placeholder={text.paletteHint}
      options={options}
      onSearch={setTyped}
      onSelect={choose}
      isLoading={objects.isLoading}
      empty={text.nothingFound}
      footer={
        objects.error !== null && (
          <Row role="alert" justify="between" className={styles.failed}>
            <small>{text.searchFailed(reasonOf(objects.error))}</small>
            <Button isSmall variant="plain" onClick={objects.retry}>
              {text.retry}
            </Button>
          </Row>
        )
      }
    />
  )
}

function isObject(id: string, can: ReturnType<typeof useEnvironment>['can']): boolean {
  const prefix = prefixOf(id)
  return prefix !== null && can(kinds[prefix]!.scope) && kinds[prefix]!.read !== undefined
}

/** The commands of the page with what they choose among, and the views of the inbox. */
function useEntries(): Entry[] {
  const inbox = useTexts(inboxTexts)
  const [, navigate] = useLocation()
  const { name, can } = useEnvironment()
  const saved = useSavedViews()
  const commands = useAllCommands().filter(({ name }) => name !== 'palette')
  const toView = (id: string, label: string, icon: Command['icon']): Entry => ({
    id: `view:${id}`,
    label,
    group: inbox.views,
    place: 'go',
    ...(icon && { icon }),
    run: () => navigate(`/${name}/inbox/${id}`),
  })
  const entries = [
    ...commands.map((command) => ({ ...command, id: command.name ?? command.label })),
    ...commands.flatMap(
      ({ choices }) =>
        choices?.().map((choice) => ({ ...choice, id: choice.name ?? choice.label, isChoice: true })) ?? [],
    ),
    ...(can('conversations:read')
      ? [
          ...builtInViews.map((view) => toView(view.name, inbox[view.name], view.icon)),
          ...(saved.data ?? []).map((view) => toView(view.id, view.name, view.broken ? 'warning' : 'view')),
        ]
      : []),
  ]
  // Those of two groups may have one name.
  const known = new Set<string>()
  return entries.flatMap((entry) => {
    const id = [entry.id, `${entry.group}/${entry.id}`].find((each) => !known.has(each))
    if (id === undefined) return []
    known.add(id)
    return [{ ...entry, id }]
  })
}

/** Shows an object with what it is. */
function useObjectOption(): (shown: Shown) => ComboboxOption {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const groups: Record<string, string> = { conv: text.conversations, msg: text.conversations }
  return ({ id, prefix, found: object }) => {
    const { icon, page } = kinds[prefix]!
    return {
      id,
      label: object === null ? '…' : (object.name ?? id),
      detail: object?.detail,
      group: groups[prefix] ?? labels[page],
      picture: <Icon name={icon} />,
    }
  }
}
