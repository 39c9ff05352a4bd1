import type { SlaConfig } from '@backline/sdk'
import { useState } from 'react'
import { nameIn, useCategories, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { clocks } from '../../texts/values.ts'
import { draftOf, type SlaDraft } from './draft.ts'
import { Simulator } from './Simulator.tsx'
import { SlaForm } from './SlaForm.tsx'
import { texts } from './texts.ts'
import { hoursOf, weekOf } from './week.ts'

export function SlaConfigs() {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const { backline } = useEnvironment()
  const departments = useDepartments()
  const categories = useCategories()
  const [tried, setTried] = useState<SlaConfig | null>(null)
  const conditionsOf = ({ conditions }: SlaConfig): string =>
    [
      ...conditions.department_ids.map((id) => nameIn(departments.data, id)),
      ...conditions.category_ids.map((id) => nameIn(categories.data, id)),
      ...conditions.company_ids.slice(0, 1).map(() => text.company),
      ...conditions.priorities.map((value) => text[value]),
      ...conditions.channels.map((value) => text[value]),
      ...conditions.tags_any.map((tag) => `#${tag}`),
    ].join(', ') || text.all
  /** The target of a clock, or the span of its targets if priorities differ. */
  const targetOf = ({ targets }: SlaConfig, clock: (typeof clocks)[number]): string => {
    const seconds = targets.flatMap((target) => target[`${clock}_seconds`] ?? [])
    if (seconds.length === 0) return '–'
    const least = Math.min(...seconds)
    const most = Math.max(...seconds)
    return least === most ? duration(least) : `${duration(least)} – ${duration(most)}`
  }
  const resource: ResourceDescriptor<SlaConfig, SlaDraft> = {
    path: 'sla_configs',
    scope: 'sla_configs:write',
    icon: 'clock',
    api: backline.slaConfigs,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description }) => `${name} ${description ?? ''}`,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      { name: 'conditions', label: text.conditions, cell: conditionsOf },
      ...clocks.map((clock) => ({
        name: clock,
        label: text[clock],
        cell: (config: SlaConfig) => targetOf(config, clock),
      })),
      {
        name: 'schedule',
        label: text.schedule,
        cell: ({ schedule }) =>
          schedule ? text.weekHours(hoursOf(weekOf(schedule.weekly))) : text.clockRound,
      },
    ],
    draftOf,
    bodyOf: (draft) => ({ ...draft, description: textOrNull(draft.description) }),
    labels: {
      name: text.name,
      description: text.description,
      conditions: text.conditions,
      targets: text.targets,
      schedule: text.schedule,
      pauses_on_pending: text.pending,
      warn_at_percent: text.warn,
    },
    form: SlaForm,
    width: 'wide',
    reorder: (items) => backline.slaConfigs.reorder({ ids: items.map(({ id }) => id) }),
    actionsOf: (config) => [{ label: text.simulate, icon: 'play', onSelect: () => setTried(config) }],
  }
  return (
    <>
      <ResourcePage resource={resource} />
      {tried && <Simulator config={tried} onClose={() => setTried(null)} />}
    </>
  )
}
