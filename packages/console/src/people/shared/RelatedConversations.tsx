import type { Conversation } from '@backline/sdk'
import { Link } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { When } from '../../app/Times.tsx'
import { useDepartmentNames, useOperatorNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { isStored, useLiveEvents } from '../../data/live.tsx'
import { FramedList, Quiet, Row, Truncated } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { nameOfPerson } from '../../inbox/model/people.ts'
import { modelTexts } from '../../inbox/model/texts.ts'
import { StatusBadge } from '../../inbox/side/StatusBadge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'
import { useRefreshSoon } from './events.ts'
import styles from './RelatedConversations.module.css'

type Of = { end_user_id: string } | { company_id: string }

/** All conversations of a person or of a company, the latest first. */
export function RelatedConversations({ of }: { of: Of }) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { backline, can } = useEnvironment()
  const pathOf = useConversationPath()
  const operatorOf = useOperatorNames()
  const departmentOf = useDepartmentNames()
  const refreshSoon = useRefreshSoon()
  const queryKey = ['conversations', 'related', of]
  const isOfCompany = 'company_id' in of
  const query = usePages<Conversation>(queryKey, (cursor, signal) =>
    backline.conversations.list(
      {
        ...(isOfCompany
          ? { filter: { field: 'company_id', op: 'is', value: of.company_id } }
          : { end_user_id: of.end_user_id }),
        ...(isOfCompany && can('end_users:read') && { include: ['end_user' as const] }),
        limit: 25,
        cursor,
      },
      { signal },
    ),
  )
  useLiveEvents((event) => {
    if (!isStored(event) || event.resource.type !== 'conversation') return
    const { end_user_id: endUserId, company_id: companyId } = event.data.object as Partial<Conversation>
    const { previous } = event.data as { previous?: Partial<Conversation> }
    const isOurs = isOfCompany
      ? [companyId, previous?.company_id].includes(of.company_id)
      : [endUserId, previous?.end_user_id].includes(of.end_user_id)
    if (isOurs) refreshSoon(queryKey)
  })
  return (
    <List query={query} empty={<Quiet as="p">{text.noConversations}</Quiet>}>
      <FramedList aria-label={text.conversations}>
        {query.items.map((conversation) => {
          const { id, subject, status, assignee_id, department_id, created_at } = conversation
          const about = [
            isOfCompany ? (nameOfPerson(conversation) ?? text.visitor) : undefined,
            departmentOf(department_id),
            operatorOf(assignee_id),
          ]
          return (
            <li key={id} className={styles.item}>
              <Link href={pathOf(id)} className={styles.link}>
                <Truncated as="strong">{subject ?? shared.noSubject}</Truncated>
              </Link>
              <StatusBadge status={status} />
              <Row as="span">
                <Truncated as="small">{about.filter(Boolean).join(' · ')}</Truncated>
              </Row>
              <Quiet className={styles.time}>
                <When at={conversation.last_message_at ?? created_at} />
              </Quiet>
            </li>
          )
        })}
      </FramedList>
    </List>
  )
}
