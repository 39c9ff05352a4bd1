import type { EndUser } from '@backline/sdk'
import { usePersonPath } from '../../app/area-paths.ts'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Table } from '../../design/Table.tsx'
import { nameOfEndUser } from '../../inbox/model/people.ts'
import { useTexts } from '../../texts/language.tsx'
import { Marks } from '../person/Marks.tsx'
import { listKey } from '../shared/events.ts'
import { texts } from '../texts.ts'

/** The end users of a company. */
export function CompanyPeople({ companyId }: { companyId: string }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const pathOf = usePersonPath()
  const query = usePages<EndUser>([...listKey('end_users'), { company_id: companyId }], (cursor, signal) =>
    backline.endUsers.list({ company_id: companyId, sort: 'name', limit: 20, cursor }, { signal }),
  )
  return (
    <List query={query} empty={<Quiet as="p">{text.noPeopleOfCompany}</Quiet>}>
      <Table
        caption={text.people}
        rows={query.items}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf(id)}
        columns={[
          {
            name: 'name',
            label: text.name,
            cell: (person) => (
              <Row as="span">
                <Avatar name={nameOfEndUser(person) ?? '?'} />
                {nameOfEndUser(person) ?? text.noName}
                <Marks person={person} />
              </Row>
            ),
          },
          { name: 'email', label: text.email, cell: ({ emails }) => emails[0]?.address ?? '' },
          {
            name: 'seen',
            label: text.lastSeen,
            cell: ({ last_seen_at: at }) => at && <When at={at} />,
          },
        ]}
      />
    </List>
  )
}
