import type { EndUser } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { usePersonPath } from '../../../app/area-paths.ts'
import { useCommands } from '../../../app/commands.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { Avatar } from '../../../design/Avatar.tsx'
import { Badge } from '../../../design/Badge.tsx'
import { IconButton } from '../../../design/Button.tsx'
import { Row, Stack } from '../../../design/Layout.tsx'
import { Loaded } from '../../../design/Lists.tsx'
import { Menu, type MenuItem } from '../../../design/Menu.tsx'
import { DescriptionList } from '../../../design/Page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser, useEndUserQuery } from '../../model/people.ts'
import { CustomFields } from '../fields/CustomFields.tsx'
import { texts as sideTexts } from '../texts.ts'
import { Block } from './Block.tsx'
import { usePersonFacts, Verified } from './facts.tsx'
import styles from './Person.module.css'
import { privacyTexts } from './privacy-texts.ts'
import { texts } from './texts.ts'
import { usePrivacy } from './use-privacy.tsx'

/** The end user who writes. */
export function Person({ endUserId, companyId }: { endUserId: string; companyId: string | null }) {
  const query = useQuery(useEndUserQuery()(endUserId))
  return <Loaded query={query}>{(person) => <Known person={person} companyId={companyId} />}</Loaded>
}

function Known({ person, companyId }: { person: EndUser; companyId: string | null }) {
  const { backline, can } = useEnvironment()
  const queryKey = ['end_users', person.id]
  const [isAsked, setAsked] = useState(false)
  return (
    <Stack gap={3}>
      <Heading person={person} onBlock={() => setAsked(true)} />
      <Block person={person} isAsked={isAsked} onAnswer={() => setAsked(false)} />
      <DescriptionList items={usePersonFacts(person, companyId)} />
      <CustomFields
        appliesTo="end_user"
        object={person}
        queryKey={queryKey}
        isEditable={can('end_users:write') && (person.status === 'active' || person.status === 'blocked')}
        read={() => backline.endUsers.retrieve(person.id)}
        write={(custom_fields, options) => backline.endUsers.update(person.id, { custom_fields }, options)}
      />
    </Stack>
  )
}

function Heading({ person, onBlock }: { person: EndUser; onBlock(): void }) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { can } = useEnvironment()
  const pathOf = usePersonPath()
  const name = nameOfEndUser(person)
  const { status } = person
  const canBlock = can('end_users:write') && status === 'active'
  const privacy = usePrivacy(person)
  const personal = useTexts(privacyTexts)
  const isHeld = Boolean(person.legal_hold)
  const block: MenuItem = { label: text.block, icon: 'shield', isDangerous: true, onSelect: onBlock }
  const groups = [canBlock ? [block] : [], privacy.items].filter((items) => items.length > 0)
  useCommands(
    canBlock
      ? [{ label: text.block, group: text.endUser, icon: 'shield', isDangerous: true, run: onBlock }]
      : [],
  )
  return (
    <Row gap={3}>
      <Avatar name={name ?? '?'} size={36} />
      <Stack gap={0} className={styles.names}>
        <Link href={pathOf(person.id)} className={styles.name}>
          {name ?? shared.noName}
        </Link>
        {person.verified_at && <Verified label={text.identityVerified} isWritten />}
      </Stack>
      {status === 'blocked' && <Badge tone="bad">{text.blocked}</Badge>}
      {isHeld && <Badge tone="warn">{personal.legalHold}</Badge>}
      {groups.length > 0 && (
        <Menu trigger={<IconButton icon="more" label={text.moreActions} />} groups={groups} />
      )}
      {privacy.dialog}
      {(status === 'merged' || status === 'erased') && <Badge>{text[status]}</Badge>}
    </Row>
  )
}
