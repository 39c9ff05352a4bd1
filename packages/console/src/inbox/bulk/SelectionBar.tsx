import type { FilterTree, Macro, MacroAction } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useMacros, useOperators } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row } from '../../design/Layout.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { Picker } from '../../design/Picker.tsx'
import { newActions } from '../../setup/macros/actions.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import { texts as actionTexts } from '../actions/texts.ts'
import { modelTexts } from '../model/texts.ts'
import styles from './Bulk.module.css'
import { BulkChange, type Wanted } from './BulkChange.tsx'
import { useRuns } from './runs.ts'
import { texts } from './texts.ts'
import type { Selection } from './use-selection.ts'

type SelectionBarProps = {
  selection: Selection
  loadedCount: number
  /** Whether the view has more than what is loaded. */
  hasMore: boolean
  /** Chooses what the view lists; null while a search narrows it, which no filter can. */
  filter: FilterTree | null
}

/** Offers the actions for the selected conversations. */
export function SelectionBar({ selection, loadedCount, hasMore, filter }: SelectionBarProps) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { can } = useEnvironment()
  const { add } = useRuns()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [opened, setOpened] = useState<'assign' | 'priority' | 'macro' | null>(null)
  const { ids, isAll } = selection
  const isWhole = !isAll && ids.length === loadedCount
  const offersAll = filter !== null && isWhole && hasMore
  const total = useTotal(isAll || offersAll ? filter : null)
  const count = isAll ? (total?.count ?? ids.length) : ids.length
  const shownCount = isAll ? (total?.shown ?? '…') : number(count)
  const act = (action: MacroAction, hasFields = false) => setWanted({ action, hasFields })
  const actions = useActions(act)
  const opens = (name: 'assign' | 'priority' | 'macro') => ({
    isOpen: opened === name,
    onOpenChange: (isOpen: boolean) => setOpened(isOpen ? name : null),
  })
  /** Shortcuts are for the selection, also while a conversation is open. */
  const key = (shortcut: string) => ({ shortcut, precedes: true })
  const group = text.forSelected
  useCommands([
    { label: text.clear, group, icon: 'close', shortcut: 'escape', run: selection.clear },
    { label: text.assign, group, icon: 'users', ...key('a'), run: () => setOpened('assign') },
    { label: text.priority, group, icon: 'bolt', ...key('p'), run: () => setOpened('priority') },
    { label: text.addTags, group, icon: 'tag', ...key('t'), run: actions.addTags },
    { label: text.resolve, group, icon: 'check', ...key('e'), run: actions.resolve },
  ])
  return (
    <section className={styles.bar} aria-label={group}>
      <Row justify="between">
        <strong role="status">{text.selected(count, shownCount)}</strong>
        <IconButton icon="close" label={text.clear} shortcut="escape" isSmall onClick={selection.clear} />
      </Row>
      <Row gap={1} wraps>
        <Assign {...opens('assign')} onChoose={(operator_id) => act({ type: 'assign', operator_id })} />
        <Button isSmall icon="tag" onClick={actions.addTags}>
          {text.tags}
        </Button>
        <Priority {...opens('priority')} onChoose={(priority) => act({ type: 'set_priority', priority })} />
        <Button isSmall icon="check" onClick={actions.resolve}>
          {text.resolve}
        </Button>
        {can('macros:read') && <Macros {...opens('macro')} onChoose={(macro) => setWanted({ macro })} />}
        <Menu trigger={<IconButton icon="more" label={text.moreActions} isSmall />} groups={actions.more} />
      </Row>
      {offersAll && total && (
        <p className={styles.all}>
          {text.allLoaded(loadedCount)}{' '}
          <button type="button" onClick={selection.selectAll}>
            {text.selectAll(total.shown)}
          </button>
        </p>
      )}
      {isAll && total && <p className={styles.all}>{text.allSelected(total.shown)}</p>}
      {wanted && (
        <BulkChange
          key={JSON.stringify(wanted)}
          wanted={wanted}
          target={{ selection: isAll ? { filter: filter! } : { ids }, count }}
          onClose={() => setWanted(null)}
          onStarted={(run) => {
            add(run)
            selection.clear()
          }}
        />
      )}
    </section>
  )
}

/** The number of conversations that a filter chooses. */
function useTotal(filter: FilterTree | null): { count: number; shown: string } | undefined {
  const { backline } = useEnvironment()
  const { number } = useFormats()
  const { data } = useQuery({
    queryKey: ['conversations', 'total', filter],
    enabled: filter !== null,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      backline.conversations.list({ filter: filter!, limit: 1, include: ['total'] }, { signal }),
  })
  if (!data) return undefined
  const count = data.total ?? 0
  return { count, shown: `${number(count)}${data.total_is_capped ? '+' : ''}` }
}

function useActions(act: (action: MacroAction, hasFields?: boolean) => void) {
  const text = useTexts(texts)
  const named = useTexts(actionTexts)
  const asks = (label: string, icon: MenuItem['icon'], type: keyof typeof newActions): MenuItem => ({
    label,
    ...(icon && { icon }),
    onSelect: () => act(newActions[type], true),
  })
  const does = (label: string, icon: MenuItem['icon'], type: keyof typeof newActions): MenuItem => ({
    label,
    ...(icon && { icon }),
    onSelect: () => act(newActions[type]),
  })
  return {
    addTags: () => act(newActions.add_tags, true),
    resolve: () => act(newActions.resolve),
    more: [
      [
        asks(text.removeTags, 'tag', 'remove_tags'),
        asks(text.setDepartment, 'building', 'set_department'),
        asks(text.setCategory, 'list', 'set_category'),
        asks(text.setField, 'field', 'set_custom_field'),
      ],
      [
        asks(text.holdAll, 'pause', 'hold'),
        does(named.resume, 'play', 'resume'),
        does(text.reopen, 'refresh', 'reopen'),
      ],
      [{ ...does(text.closeAll, 'close', 'close'), isDangerous: true }],
    ] satisfies MenuItem[][],
  }
}

type Opens = { isOpen: boolean; onOpenChange(isOpen: boolean): void }

function Assign({ onChoose, ...opens }: Opens & { onChoose(operatorId: string | null): void }) {
  const text = useTexts(texts)
  const named = useTexts(actionTexts)
  const { operator } = useEnvironment()
  const { data, isPending } = useOperators()
  const people = (data ?? []).toSorted((a, b) => Number(b.id === operator.id) - Number(a.id === operator.id))
  return (
    <Picker
      trigger={
        <Button isSmall icon="users">
          {text.assign}
        </Button>
      }
      title={named.assignTo}
      options={[
        ...people.map((each) => ({
          id: each.id,
          label: each.id === operator.id ? named.me(each.name) : each.name,
          detail: named[each.status],
          picture: <Avatar name={each.name} size={22} presence={each.status} />,
        })),
        { id: 'nobody', label: text.nobody, picture: <Icon name="user" size={22} /> },
      ]}
      onSelect={(id) => onChoose(id === 'nobody' ? null : id)}
      isLoading={isPending}
      empty={text.nobodyFound}
      {...opens}
    />
  )
}

type Priority = (typeof priorities)[number]

function Priority({ onChoose, ...opens }: Opens & { onChoose(priority: Priority): void }) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  return (
    <Picker
      trigger={
        <Button isSmall icon="bolt">
          {text.priority}
        </Button>
      }
      title={text.priority}
      options={priorities.toReversed().map((id) => ({ id, label: shared[id] }))}
      onSelect={(id) => onChoose(id as Priority)}
      empty=""
      {...opens}
    />
  )
}

function Macros({ onChoose, ...opens }: Opens & { onChoose(macro: Macro): void }) {
  const text = useTexts(texts)
  const all = useMacros()
  return (
    <Picker
      trigger={
        <Button isSmall icon="play">
          {text.macro}
        </Button>
      }
      title={text.findMacro}
      options={
        all.data?.map(({ id, name, description }) => ({
          id,
          label: name,
          detail: description ?? undefined,
        })) ?? []
      }
      onSelect={(id) => onChoose(all.data!.find((each) => each.id === id)!)}
      isLoading={all.isPending}
      error={all.data ? null : all.error}
      onRetry={() => void all.refetch()}
      empty={text.noMacros}
      {...opens}
    />
  )
}
