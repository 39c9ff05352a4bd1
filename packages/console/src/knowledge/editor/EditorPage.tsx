import type { KbArticle } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useArticle } from '../shared/articles.ts'
import styles from '../shared/Workbench.module.css'
import { ArticleFacts } from './ArticleFacts.tsx'
import { Editor } from './Editor.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { History } from './History.tsx'
import { Preview } from './Preview.tsx'
import { texts } from './texts.ts'

type TabName = 'preview' | 'details' | 'history'

export function EditorPage({ id }: { id: string }) {
  const { can } = useEnvironment()
  const { data, isPending, error, refetch } = useArticle(id)
  if (isPending) return <Loading lines={8} />
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return can('kb:write') ? <Editor article={data} /> : <Reader article={data} />
}

/** The article for those who may read it only. */
function Reader({ article }: { article: KbArticle }) {
  const text = useTexts(texts)
  const [tab, setTab] = useState<TabName>('preview')
  return (
    <div className={styles.page}>
      <EditorHeader article={article} />
      <div className={styles.reader}>
        <Tabs<TabName>
          chosen={tab}
          onSelect={setTab}
          tabs={[
            { name: 'preview', label: text.preview, content: <Preview article={article} /> },
            { name: 'details', label: text.details, content: <ArticleFacts article={article} /> },
            { name: 'history', label: text.history, content: <History article={article} /> },
          ]}
        />
      </div>
    </div>
  )
}
