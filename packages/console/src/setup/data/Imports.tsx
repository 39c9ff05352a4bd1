import type { Job } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { serverUrl } from '../../data/client.ts'
import { Notice } from '../../design/Layout.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { importTexts } from './import-texts.ts'
import { JobPanel } from './JobPanel.tsx'
import { JobTable } from './JobTable.tsx'
import { NewImport } from './NewImport.tsx'

const sourceOf = ({ params }: Job): string => String(params.source ?? '')

/** Imports with their progress, and the form that starts one. */
export function Imports({ id }: { id: string | undefined }) {
  const text = useTexts(importTexts)
  const [, navigate] = useLocation()
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title={text.imports}
      intro={text.importsIntro}
      actions={
        <CreateButton
          resource={{ scope: 'jobs:write', texts: { title: text.imports, create: text.newImport } }}
          onCreate={() => setNew(true)}
        />
      }
    >
      <Notice tone="info" icon="code">
        <p>
          {text.cliBefore} <code>backline import zendesk</code>, <code>intercom</code> {text.cliAfter}{' '}
          <a href={`${serverUrl}guides/import`}>{text.guide}</a>
        </p>
      </Notice>
      <JobTable
        caption={text.imports}
        filters={{ type: 'import' }}
        linkOf={(job) => `/imports/${job.id}`}
        columns={[{ name: 'source', label: text.source, cell: sourceOf }]}
        empty={
          <EmptyState icon="folder" title={text.noImports}>
            <p>{text.noImportsHint}</p>
          </EmptyState>
        }
      />
      {isNew && (
        <NewImport
          onClose={() => setNew(false)}
          onStarted={(job) => {
            setNew(false)
            navigate(`/imports/${job.id}`)
          }}
        />
      )}
      {id && <JobPanel id={id} onClose={() => navigate('/imports')} />}
    </Page>
  )
}
