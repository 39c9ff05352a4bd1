import { useQueries } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useCompanyPath } from '../../../app/area-paths.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { Stack } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from './texts.ts'

/** The companies of a person. That of the conversation is marked if there are several. */
export function Companies({ ids, companyId }: { ids: string[]; companyId: string | null }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const pathOf = useCompanyPath()
  const companies = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['companies', id],
      queryFn: () => backline.companies.retrieve(id),
    })),
  })
  return (
    <Stack as="ul" gap="half">
      {companies.map(({ data }, i) => (
        <li key={ids[i]} title={data?.domains.join(', ')}>
          <Link href={pathOf(ids[i]!)}>{data?.name ?? '…'}</Link>{' '}
          {ids.length > 1 && ids[i] === companyId && <small>{text.forThis}</small>}
        </li>
      ))}
    </Stack>
  )
}
