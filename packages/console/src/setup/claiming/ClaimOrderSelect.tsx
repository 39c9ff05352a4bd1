import type { Workspace } from '@backline/sdk'
import { Select } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { claimingTexts } from './texts.ts'

type ClaimOrder = Workspace['claim_order']

const orders = ['waiting', 'due', 'priority'] as const satisfies ClaimOrder[]

type ClaimOrderSelectProps = {
  /** Where it counts. */
  scope?: string
  error?: string | undefined
  value: ClaimOrder
  onChange(value: ClaimOrder): void
}

/** Chooses which conversation "Take the next conversation" takes. */
export function ClaimOrderSelect({ scope = '', value, onChange, ...rest }: ClaimOrderSelectProps) {
  const text = useTexts(claimingTexts)
  const means = { waiting: text.waitingMeans, due: text.dueMeans, priority: text.priorityMeans }
  return (
    <Select
      {...rest}
      label={text.claimOrder}
      hint={`${means[value]} ${scope}`.trimEnd()}
      options={orders.map((order) => ({ value: order, label: text[order] }))}
      value={value}
      onChange={(event) => onChange(event.target.value as ClaimOrder)}
    />
  )
}
