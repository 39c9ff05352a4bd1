import type { FilterTree } from '@backline/sdk'
import type { Faults } from '../data/faults.ts'
import { Button, IconButton } from '../design/Button.tsx'
import { Select } from '../design/Field.tsx'
import { Row, Stack } from '../design/Layout.tsx'
import { Menu, type MenuItem } from '../design/Menu.tsx'
import { replaced, without } from '../forms/changes.ts'
import { useTexts } from '../texts/language.tsx'
import { Condition } from './Condition.tsx'
import { newCondition } from './conditions.ts'
import styles from './Filter.module.css'
import { texts } from './texts.ts'
import {
  type Connective,
  connectiveOf,
  groupOf,
  isCondition,
  isNot,
  levelsOf,
  mostLevels,
  nodesOf,
} from './tree.ts'
import type { NamedField } from './use-fields.ts'

type NodeProps = {
  node: FilterTree
  /** The number of nodes above this one. */
  depth: number
  fields: NamedField[]
  faults: Faults
  onChange(node: FilterTree): void
  /** Missing at the top, which cannot be removed. */
  onRemove?: () => void
}

/** A node of a filter with everything below it. */
export function FilterNode(props: NodeProps) {
  const text = useTexts(texts)
  const { node, depth, fields, faults, onChange, onRemove } = props
  const fitsOneMore = depth + levelsOf(node) < mostLevels
  const common: MenuItem[][] = [
    [
      { label: text.negate, isDisabled: !fitsOneMore, onSelect: () => onChange({ not: node }) },
      { label: text.intoGroup, isDisabled: !fitsOneMore, onSelect: () => onChange({ all: [node] }) },
    ],
    ...(onRemove
      ? [[{ label: text.remove, icon: 'trash' as const, isDangerous: true, onSelect: onRemove }]]
      : []),
  ]
  if (isCondition(node))
    return <Condition condition={node} fields={fields} faults={faults} onChange={onChange} menu={common} />
  if (isNot(node))
    return (
      <Stack className={styles.not}>
        <Row justify="between">
          <strong>{text.not}</strong>
          <Menu
            trigger={<IconButton icon="more" label={text.moreGroup} />}
            groups={[[{ label: text.unnegate, onSelect: () => onChange(node.not) }], ...common.slice(1)]}
          />
        </Row>
        <FilterNode
          {...props}
          node={node.not}
          depth={depth + 1}
          faults={faults.within('/not')}
          onChange={(next) => onChange({ not: next })}
        />
      </Stack>
    )
  return <Group {...props} menu={common} />
}

function Group({
  node,
  depth,
  fields,
  faults,
  onChange,
  onRemove,
  menu,
}: NodeProps & { menu: MenuItem[][] }) {
  const text = useTexts(texts)
  const connective = connectiveOf(node) ?? 'all'
  const nodes = nodesOf(node)
  const set = (next: readonly FilterTree[]) => onChange(groupOf(connective, next))
  const fresh = (): FilterTree => newCondition(fields[0]!)
  return (
    <Stack className={styles.group}>
      <Row justify="between">
        <Select
          label={text.connective}
          hideLabel
          error={faults.at('') ?? faults.at(`/${connective}`)}
          options={[
            { value: 'all', label: text.allOf },
            { value: 'any', label: text.anyOf },
          ]}
          value={connective}
          onChange={(event) => onChange(groupOf(event.target.value as Connective, nodes))}
        />
        {onRemove && <Menu trigger={<IconButton icon="more" label={text.moreGroup} />} groups={menu} />}
      </Row>
      <Stack as="ul" className={styles.nodes}>
        {nodes.map((each, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Nodes have no other identity than their place.
          <li key={i} data-between={i > 0 ? (connective === 'all' ? text.and : text.or) : undefined}>
            <FilterNode
              node={each}
              depth={depth + 1}
              fields={fields}
              faults={faults.within(`/${connective}/${i}`)}
              onChange={(next) => set(replaced(nodes, i, next))}
              onRemove={() => set(without(nodes, i))}
            />
          </li>
        ))}
      </Stack>
      <Row wraps>
        <Button icon="plus" onClick={() => set([...nodes, fresh()])}>
          {text.addCondition}
        </Button>
        {depth + 2 < mostLevels && (
          <Button
            icon="plus"
            onClick={() => set([...nodes, groupOf(connective === 'all' ? 'any' : 'all', [fresh()])])}
          >
            {text.addGroup}
          </Button>
        )}
      </Row>
    </Stack>
  )
}
