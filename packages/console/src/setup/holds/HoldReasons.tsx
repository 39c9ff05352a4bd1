import type { HoldReason } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import type { HoldDraft } from './draft.ts'
import { HoldForm } from './HoldForm.tsx'
import { texts } from './texts.ts'

export function HoldReasons() {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const { backline } = useEnvironment()
  const resource: ResourceDescriptor<HoldReason, HoldDraft> = {
    path: 'hold_reasons',
    scope: 'hold_reasons:write',
    icon: 'pause',
    api: backline.holdReasons,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description }) => `${name} ${description ?? ''}`,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      { name: 'waiting', label: text.waitingFor, cell: ({ waiting_on }) => text[waiting_on] ?? waiting_on },
      {
        name: 'sla',
        label: text.sla,
        cell: ({ pauses_sla }) => (
          <Badge tone={pauses_sla ? 'info' : 'neutral'}>{pauses_sla ? text.pauses : text.runs}</Badge>
        ),
      },
      {
        name: 'duration',
        label: text.duration,
        cell: ({ default_duration_seconds: usual, max_duration_seconds: longest }) =>
          [usual && duration(usual), longest && text.most(duration(longest))].filter(Boolean).join(', ') ||
          text.open,
      },
      { name: 'expiry', label: text.onExpiry, cell: ({ on_expiry }) => text[on_expiry] ?? on_expiry },
    ],
    draftOf: (reason) => ({
      name: reason?.name ?? '',
      description: reason?.description ?? '',
      waiting_on: reason?.waiting_on ?? 'third_party',
      pauses_sla: reason?.pauses_sla ?? true,
      resumes_on_reply: reason?.resumes_on_reply ?? true,
      requires_note: reason?.requires_note ?? false,
      default_duration_seconds: reason?.default_duration_seconds ?? null,
      max_duration_seconds: reason?.max_duration_seconds ?? null,
      on_expiry: reason?.on_expiry ?? 'resume',
      follow_up: reason?.follow_up ?? null,
    }),
    bodyOf: (draft) => ({ ...draft, description: textOrNull(draft.description) }),
    labels: {
      name: text.name,
      description: text.description,
      waiting_on: text.waitingFor,
      pauses_sla: text.pausesSla,
      resumes_on_reply: text.resumes,
      requires_note: text.needsNote,
      default_duration_seconds: text.defaultDuration,
      max_duration_seconds: text.maxDuration,
      on_expiry: text.onExpiry,
      follow_up: text.followUp,
    },
    form: HoldForm,
  }
  return <ResourcePage resource={resource} />
}
