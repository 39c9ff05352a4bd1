import { ConnectionError } from '@backline/sdk'
import { useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { Badge } from '../Badge.tsx'
import { Button } from '../Button.tsx'
import { Icon, iconNames } from '../Icon.tsx'
import { Card, Columns, Quiet, Row } from '../Layout.tsx'
import { DescriptionList, Section } from '../Page.tsx'
import { EmptyState, ErrorState, Loading } from '../States.tsx'
import { Table } from '../Table.tsx'
import { Tabs } from '../Tabs.tsx'
import { texts } from './texts.ts'

type Person = { name: string; amount: number }

const rows: Person[] = [
  { name: 'Ada', amount: 12 },
  { name: 'Grace', amount: 1_204 },
]

export function Content() {
  const text = useTexts(texts)
  const [tab, setTab] = useState<'first' | 'second'>('first')
  return (
    <>
      <Section title={text.table}>
        <Table<Person>
          caption={text.table}
          rows={rows}
          keyOf={({ name }) => name}
          onOpen={() => setTab('second')}
          columns={[
            { name: 'name', label: text.name, cell: ({ name }) => name },
            { name: 'state', label: text.states, cell: () => <Badge tone="good">{text.saved}</Badge> },
            { name: 'amount', label: text.amount, align: 'end', cell: ({ amount }) => amount },
          ]}
        />
        <DescriptionList
          items={[
            [text.name, 'Ada Lovelace'],
            [text.note, text.nothingHint],
          ]}
        />
      </Section>
      <Section title={text.tabs}>
        <Tabs<'first' | 'second'>
          chosen={tab}
          onSelect={setTab}
          tabs={[
            { name: 'first', label: text.first, content: text.sample },
            { name: 'second', label: text.second, content: text.nothingHint },
          ]}
        />
      </Section>
      <Section title={text.states}>
        <Columns gap={4} least="16rem">
          <Card>
            <EmptyState icon="bolt" title={text.nothing}>
              <p>{text.nothingHint}</p>
              <Button variant="primary" icon="plus">
                {text.name}
              </Button>
            </EmptyState>
          </Card>
          <Card>
            <Loading lines={6} />
          </Card>
          <Card>
            <ErrorState error={new ConnectionError(text.reason)} onRetry={() => undefined} />
          </Card>
        </Columns>
      </Section>
    </>
  )
}

export function Icons() {
  const text = useTexts(texts)
  return (
    <Section title={text.icons}>
      <Columns as="ul" gap={2} least="8rem">
        {iconNames.map((name) => (
          <Row as="li" key={name}>
            <Icon name={name} />
            <Quiet as="code">{name}</Quiet>
          </Row>
        ))}
      </Columns>
    </Section>
  )
}
