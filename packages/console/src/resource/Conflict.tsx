import { Button } from '../design/Button.tsx'
import { Notice, Row } from '../design/Layout.tsx'
import { DescriptionList } from '../design/Page.tsx'
import { isEqual } from '../forms/changes.ts'
import { useTexts } from '../texts/language.tsx'
import type { FormDescriptor, Resource } from './descriptor.ts'
import { texts } from './texts.ts'

type ConflictProps<Item extends Resource, Draft extends object> = {
  resource: FormDescriptor<Item, Draft>
  /** The version that the person began with. */
  before: Item
  newer: Item
  onKeepMine(): void
  onTakeTheirs(): void
}

/** Says that another person has saved a newer version, and what it has. */
export function Conflict<Item extends Resource, Draft extends object>({
  resource,
  before,
  newer,
  onKeepMine,
  onTakeTheirs,
}: ConflictProps<Item, Draft>) {
  const text = useTexts(texts)
  const old = resource.draftOf(before)
  const now = resource.draftOf(newer)
  const valueText = (value: unknown): string => {
    if (value === null || value === '') return text.empty
    if (typeof value === 'boolean') return value ? text.yes : text.no
    return typeof value === 'object' ? text.conflictChanged : String(value)
  }
  const names = (Object.keys(now) as (keyof Draft)[]).filter((name) => !isEqual(now[name], old[name]))
  return (
    <Notice tone="warn" role="alert">
      <p>{text.conflict}</p>
      <p>{text.conflictFields}</p>
      <DescriptionList items={names.map((name) => [resource.labels[name], valueText(now[name])])} />
      <Row wraps>
        <Button onClick={onTakeTheirs}>{text.takeTheirs}</Button>
        <Button onClick={onKeepMine}>{text.keepMine}</Button>
      </Row>
    </Notice>
  )
}
