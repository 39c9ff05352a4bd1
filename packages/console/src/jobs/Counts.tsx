import { DescriptionList } from '../design/Page.tsx'
import { useFormats } from '../texts/formats.ts'

const words = (table: string): string => {
  const text = table.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The rows of each table that an erasure reaches. */
export function Counts({ counts }: { counts: Record<string, number> }) {
  const { number } = useFormats()
  return (
    <DescriptionList items={Object.entries(counts).map(([table, count]) => [words(table), number(count)])} />
  )
}
