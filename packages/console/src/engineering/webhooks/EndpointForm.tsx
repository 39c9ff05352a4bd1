import {
  type FilterTree,
  PreconditionFailedError,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@backline/sdk'
import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { FilterBuilder } from '../../filters/FilterBuilder.tsx'
import { Group } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Changes } from '../shared/Changes.tsx'
import { EventTypePicker } from '../shared/EventTypePicker.tsx'
import { useSubmit } from '../shared/use-submit.ts'
import { bodyOf, differences, draftOf, headersIn } from './draft.ts'
import styles from './EndpointForm.module.css'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

type FormProps = {
  /** Null for a new one. */
  endpoint: WebhookEndpoint | null
  onClose(): void
  onSaved(endpoint: WebhookEndpoint | WebhookEndpointWithSecret): void
}

const firstFilter: FilterTree = { all: [{ field: 'tags', op: 'contains', value: '' }] }
const fields = ['url', 'description', 'enabled_events', 'payload', 'filter', 'headers']

export function EndpointForm({ endpoint, onClose, onSaved }: FormProps) {
  const text = useTexts(texts)
  const formId = useId()
  const { backline } = useEnvironment()
  const [base, setBase] = useState(endpoint)
  const [theirs, setTheirs] = useState<ReturnType<typeof differences> | null>(null)
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  const [isTried, setTried] = useState(false)
  const { isPending, submit, faults, faultOf } = useSubmit({
    failed: text.saveFailed,
    refresh: [endpointsKey],
    fields,
  })
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed })
  const areHeadersBad = headersIn(draft.headers) === undefined

  async function save(): Promise<WebhookEndpoint | WebhookEndpointWithSecret | null> {
    const body = bodyOf(draft, base)
    if (base === null) return backline.webhookEndpoints.create(body)
    try {
      return await backline.webhookEndpoints.update(base.id, body, { ifMatch: `"${base.version}"` })
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
      const now = await backline.webhookEndpoints.retrieve(base.id)
      setTheirs(differences(base, now))
      setBase(now)
      return null
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    if (areHeadersBad || isPending) return
    void submit(save, (saved) => saved && onSaved(saved))
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      form="panel"
      width="wide"
      title={endpoint === null ? text.createTitle : text.editTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="primary" disabled={isPending}>
            {endpoint === null ? text.createAction : text.save}
          </Button>
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} onSubmit={onSubmit}>
        {theirs && (
          <Notice tone="warn" role="alert">
            <p>{text.conflict}</p>
            <Changes changes={theirs} caption={text.changes} />
          </Notice>
        )}
        <TextField
          label={text.url}
          hint={text.urlHint}
          value={draft.url}
          inputMode="url"
          spellCheck={false}
          placeholder="https://example.com/hooks/backline"
          error={faultOf('/url')}
          onChange={(event) => change({ url: event.target.value })}
        />
        <TextField
          label={text.description}
          value={draft.description}
          error={faultOf('/description')}
          onChange={(event) => change({ description: event.target.value })}
        />
        <EventTypePicker
          legend={text.eventsLegend}
          chosen={draft.events}
          error={faultOf('/enabled_events')}
          onChange={(events) => change({ events })}
        />
        <Select
          label={text.payload}
          value={draft.payload}
          error={faultOf('/payload')}
          options={[
            { value: 'full', label: text.full },
            { value: 'thin', label: text.thin },
          ]}
          onChange={(event) => change({ payload: event.target.value as 'full' | 'thin' })}
        />
        <Group title={text.conversations} intro={text.filterHint}>
          {draft.filter ? (
            <>
              <FilterBuilder
                appliesTo="conversation"
                filter={draft.filter}
                hasReader={false}
                faults={faults.within('/filter')}
                onChange={(filter) => change({ filter })}
              />
              <Button
                look="plain"
                icon="trash"
                className={styles.filter}
                onClick={() => change({ filter: null })}
              >
                {text.removeFilter}
              </Button>
            </>
          ) : (
            <Button icon="filter" className={styles.filter} onClick={() => change({ filter: firstFilter })}>
              {text.addFilter}
            </Button>
          )}
        </Group>
        <TextArea
          label={text.headers}
          isCode
          rows={2}
          spellCheck={false}
          autoComplete="off"
          value={draft.headers}
          hint={text.headersHint}
          placeholder="Authorization: Bearer …"
          error={isTried && areHeadersBad ? text.headersBad : faultOf('/headers')}
          onChange={(event) => change({ headers: event.target.value })}
        />
      </Stack>
    </Dialog>
  )
}
