import type { Job } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { familyTexts } from './families.ts'
import { JobPanel } from './JobPanel.tsx'
import { JobTable } from './JobTable.tsx'
import { NewExport } from './NewExport.tsx'
import { texts } from './texts.ts'

/** Exports with their progress, and the form that starts one. */
export function Exports({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const named: Record<string, string> = useTexts(familyTexts)
  const [, navigate] = useLocation()
  const [isNew, setNew] = useState(false)
  const whatOf = ({ params }: Job): string => {
    const objects = params.objects as string[] | undefined
    if (!objects || objects.length === Object.keys(familyTexts).length) return text.everything
    return objects.map((object) => named[object] ?? object).join(', ')
  }
  return (
    <Page
      title={text.exports}
      intro={text.exportsIntro}
      actions={
        <CreateButton
          resource={{ scope: 'jobs:write', texts: { title: text.exports, create: text.newExport } }}
          onCreate={() => setNew(true)}
        />
      }
    >
      <JobTable
        caption={text.exports}
        filters={{ type: 'export' }}
        linkOf={(job) => `/exports/${job.id}`}
        columns={[{ name: 'what', label: text.families, cell: whatOf }]}
        empty={
          <EmptyState icon="external" title={text.noExports}>
            <p>{text.noExportsHint}</p>
          </EmptyState>
        }
      />
      {isNew && (
        <NewExport
          onClose={() => setNew(false)}
          onStarted={(job) => {
            setNew(false)
            navigate(`/exports/${job.id}`)
          }}
        />
      )}
      {id && <JobPanel id={id} onClose={() => navigate('/exports')} />}
    </Page>
  )
}
