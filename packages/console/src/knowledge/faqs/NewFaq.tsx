import type { Faq } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { faqsKey, useFaqs } from '../shared/faqs.ts'
import styles from '../shared/Workbench.module.css'
import { FaqForm } from './FaqForm.tsx'
import { FaqHeader } from './FaqHeader.tsx'
import { FaqPreview } from './FaqPreview.tsx'
import type { FaqFields } from './fields.ts'
import { texts } from './texts.ts'

/** A question that is not saved yet. It is created as a draft, at the end of the list. */
export function NewFaq() {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const { language } = useLanguage()
  const { backline } = useEnvironment()
  const all = useFaqs().data ?? []
  const [fields, setFields] = useState<FaqFields>({
    question: '',
    answer: '',
    locale: all[0]?.locale ?? language,
    category_id: null,
    kb_article_id: null,
    tags: [],
  })
  const create = useWrite({
    run: () =>
      backline.faqs.create({ ...fields, position: Math.max(-1, ...all.map((faq) => faq.position)) + 1 }),
    refresh: [],
    failed: text.failed,
    fields: Object.keys(fields),
    onDone(faq) {
      cache.setQueryData<Faq[]>(faqsKey, (known) => [...(known ?? []).filter(({ id }) => id !== faq.id), faq])
      navigate(`/faqs/${faq.id}`, { replace: true })
    },
  })
  const isComplete = fields.question.trim() !== '' && fields.answer.trim() !== ''
  return (
    <div className={styles.page}>
      <FaqHeader faq={null}>
        <Button variant="primary" disabled={create.isPending || !isComplete} onClick={() => create.mutate()}>
          {text.create}
        </Button>
      </FaqHeader>
      <FaqForm
        fields={fields}
        faults={create.faults}
        onChange={(patch) => {
          setFields((now) => ({ ...now, ...patch }))
          if (create.isError) create.reset()
        }}
        preview={<FaqPreview fields={fields} faq={null} />}
      />
    </div>
  )
}
