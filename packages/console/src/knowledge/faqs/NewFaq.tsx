import type { Faq } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { fieldErrorsOf } from '../shared/errors.ts'
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
  const toast = useToast()
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
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  async function create(): Promise<void> {
    setBusy(true)
    try {
      const position = Math.max(-1, ...all.map((faq) => faq.position)) + 1
      const faq = await backline.faqs.create({ ...fields, position })
      cache.setQueryData<Faq[]>(faqsKey, (known) => [...(known ?? []).filter(({ id }) => id !== faq.id), faq])
      navigate(`/faqs/${faq.id}`, { replace: true })
    } catch (error) {
      const found = fieldErrorsOf(error)
      setErrors(found)
      if (Object.keys(found).length === 0) toast.failed({ title: text.failed, detail: reasonOf(error) })
      setBusy(false)
    }
  }
  const isComplete = fields.question.trim() !== '' && fields.answer.trim() !== ''
  return (
    <div className={styles.page}>
      <FaqHeader faq={null}>
        <Button look="primary" disabled={isBusy || !isComplete} onClick={() => void create()}>
          {text.create}
        </Button>
      </FaqHeader>
      <FaqForm
        fields={fields}
        errorOf={(field) => errors[field]}
        onChange={(patch) => {
          setFields((now) => ({ ...now, ...patch }))
          setErrors({})
        }}
        preview={<FaqPreview fields={fields} faq={null} />}
      />
    </div>
  )
}
