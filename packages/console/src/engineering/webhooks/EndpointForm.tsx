import type { FilterTree, WebhookEndpoint } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { FilterBuilder } from '../../filters/FilterBuilder.tsx'
import { Group } from '../../forms/Form.tsx'
import type { FormDescriptor, FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { EventTypePicker } from '../shared/EventTypePicker.tsx'
import { BadHeadersError, bodyOf, draftOf, type EndpointDraft } from './draft.ts'
import { texts } from './texts.ts'

/** @param onCreated takes the secret, which the server does not show again */
export function useEndpointResource(
  onCreated?: (made: { id: string; secret: string }) => void,
): FormDescriptor<WebhookEndpoint, EndpointDraft> {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return {
    path: 'webhook_endpoints',
    api: backline.webhookEndpoints,
    texts: { create: text.create, removeHint: text.removeText },
    nameOf: ({ url }) => url,
    draftOf,
    bodyOf,
    labels: {
      url: text.url,
      description: text.description,
      enabled_events: text.eventsLegend,
      payload: text.payload,
      filter: text.conversations,
      headers: text.headers,
    },
    form: EndpointForm,
    width: 'wide',
    hasArchive: false,
    onCreated: (made) => 'secret' in made && onCreated?.(made as typeof made & { secret: string }),
    refusalOf: (error) =>
      error instanceof BadHeadersError ? { pointer: '/headers', detail: text.headersBad } : null,
  }
}

const firstFilter: FilterTree = { all: [{ field: 'tags', op: 'contains', value: '' }] }

function EndpointForm({
  draft,
  set,
  faults,
  field,
  input,
  select,
}: FormProps<WebhookEndpoint, EndpointDraft>) {
  const text = useTexts(texts)
  return (
    <>
      <TextField
        {...input('url')}
        hint={text.urlHint}
        inputMode="url"
        spellCheck={false}
        placeholder="https://example.com/hooks/backline"
      />
      <TextField {...input('description')} />
      <EventTypePicker {...field('enabled_events')} />
      <Select
        {...select('payload')}
        options={[
          { value: 'full', label: text.full },
          { value: 'thin', label: text.thin },
        ]}
      />
      <Group title={text.conversations} intro={text.filterHint}>
        {draft.filter && (
          <FilterBuilder
            appliesTo="conversation"
            filter={draft.filter}
            hasReader={false}
            faults={faults.within('/filter')}
            onChange={(filter) => set({ filter })}
          />
        )}
        <div>
          {draft.filter ? (
            <Button variant="plain" icon="trash" onClick={() => set({ filter: null })}>
              {text.removeFilter}
            </Button>
          ) : (
            <Button icon="filter" onClick={() => set({ filter: firstFilter })}>
              {text.addFilter}
            </Button>
          )}
        </div>
      </Group>
      <TextArea
        {...input('headers')}
        isCode
        rows={2}
        spellCheck={false}
        autoComplete="off"
        hint={text.headersHint}
        placeholder="Authorization: Bearer …"
      />
    </>
  )
}
