import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { Notice, Row } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** The members who are there and the conversations that wait, as of now. */
export function Availability({ departmentId }: { departmentId: string }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const { data } = useQuery({
    queryKey: ['departments', departmentId, 'availability'],
    queryFn: () => backline.departments.availability.retrieve(departmentId),
  })
  if (!data) return null
  const { online, away, busy, offline } = data.operators
  return (
    <Notice tone="plain">
      <Row as="p" gap={4} wraps>
        <strong>{text.now}</strong>
        <span>{text.availability(number(online), number(online + away + busy + offline))}</span>
        <span>{text.openNow(number(data.open_conversations), number(data.unassigned_conversations))}</span>
      </Row>
    </Notice>
  )
}
