import { Link } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { buttonClass } from '../../design/Button.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useFaqs } from '../shared/faqs.ts'
import styles from '../shared/Workbench.module.css'
import { FaqEditor } from './FaqEditor.tsx'
import { FaqHeader } from './FaqHeader.tsx'
import { FaqPreview } from './FaqPreview.tsx'
import { NewFaq } from './NewFaq.tsx'
import { texts } from './texts.ts'

export function FaqPage({ id }: { id: string }) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const { data, isPending, error, refetch } = useFaqs()
  if (isPending) return <Loading lines={6} />
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const mayWrite = can('faqs:write')
  if (id === 'new' && mayWrite) return <NewFaq />
  const faq = data.find((each) => each.id === id)
  if (!faq)
    return (
      <EmptyState icon="search" title={text.notFound}>
        <Link href="/faqs" className={buttonClass()}>
          {text.faqs}
        </Link>
      </EmptyState>
    )
  if (mayWrite) return <FaqEditor faq={faq} />
  return (
    <div className={styles.page}>
      <FaqHeader faq={faq} />
      <div className={styles.reader}>
        <FaqPreview fields={faq} faq={faq} />
      </div>
    </div>
  )
}
