import type { AuditEntry } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { isStored, useLiveEvents } from '../../data/live.tsx'
import { useSettled } from '../../data/settled.ts'
import { Button } from '../../design/Button.tsx'
import { List } from '../../design/Lists.tsx'
import { EmptyState } from '../../design/States.tsx'
import { fromLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { isId } from '../events/filters.ts'
import { TwoPane } from '../shared/TwoPane.tsx'
import { AuditEntries } from './AuditEntries.tsx'
import { AuditFilters, filterNames, isActorId } from './AuditFilters.tsx'
import styles from './AuditLog.module.css'
import { EntryDetail } from './EntryDetail.tsx'
import { ExportButton } from './ExportButton.tsx'
import { texts } from './texts.ts'
import { Verification } from './Verification.tsx'

export function AuditLog({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [values, set] = useParams(filterNames)
  const [isVerifying, setVerifying] = useState(false)
  const [fresh, setFresh] = useState(0)
  const settled = useSettled(values)
  const filters = useMemo(() => {
    const { actor, action, resource, from, to } = settled
    return {
      actor_id: isActorId(actor) ? actor : undefined,
      action: action === '' ? undefined : action.split(','),
      target_id: isId(resource) ? resource : undefined,
      created_after: fromLocal(from) ?? undefined,
      created_before: fromLocal(to) ?? undefined,
    }
  }, [settled])
  const key = ['audit_log', 'list', filters]
  const query = usePages(key, (cursor, signal) =>
    backline.auditLog.list({ ...filters, limit: 100, cursor }, { signal }),
  )
  useLiveEvents((event) => isStored(event) && setFresh((was) => was + 1))
  const refresh = () => {
    setFresh(0)
    void cache.resetQueries({ queryKey: key })
  }
  const at = (to: string | null) => `/audit${to === null ? '' : `/${to}`}${search && `?${search}`}`
  const place = query.items.findIndex((entry) => entry.id === id)
  const step = (by: number) => {
    const entry = query.items[place + by]
    if (entry) navigate(at(entry.id), { replace: id !== undefined })
  }
  const close = () => navigate(at(null))
  useCommands([
    { label: text.verifyTitle, group: text.title, icon: 'shield', run: () => setVerifying(true) },
    { label: text.next, group: text.title, shortcut: 'j', repeats: true, run: () => step(1) },
    { label: text.previous, group: text.title, shortcut: 'k', repeats: true, run: () => step(-1) },
    ...(id === undefined
      ? []
      : [{ label: text.closeEntry, group: text.title, shortcut: 'escape', run: close }]),
  ])
  const isFiltered = filterNames.some((name) => values[name] !== '')
  return (
    <TwoPane
      title={text.title}
      detailLabel={text.entry}
      detail={id === undefined ? null : <EntryDetail key={id} id={id} onClose={close} />}
      actions={
        <>
          <span role="status">
            {fresh > 0 && (
              <Button variant="plain" icon="refresh" onClick={refresh}>
                {isFiltered ? text.refresh : text.fresh(fresh)}
              </Button>
            )}
          </span>
          <ExportButton filters={filters} />
          <Button icon="shield" onClick={() => setVerifying(true)}>
            {text.verify}
          </Button>
        </>
      }
      filters={<AuditFilters values={values} onChange={set} />}
    >
      <div className={styles.scroll}>
        <List
          query={query}
          empty={
            <EmptyState icon="list" title={isFiltered ? text.noMatch : text.empty}>
              {isFiltered && (
                <>
                  <p>{text.noMatchHint}</p>
                  <Button onClick={() => set({ actor: '', action: '', resource: '', from: '', to: '' })}>
                    {text.clearFilters}
                  </Button>
                </>
              )}
            </EmptyState>
          }
        >
          <AuditEntries entries={query.items} openId={id} pathOf={(entry: AuditEntry) => at(entry.id)} />
        </List>
      </div>
      {isVerifying && <Verification onClose={() => setVerifying(false)} />}
    </TwoPane>
  )
}
