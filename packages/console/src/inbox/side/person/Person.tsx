import type { EndUser } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCommands } from '../../../app/commands.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { useNow } from '../../../data/now.ts'
import { Avatar } from '../../../design/Avatar.tsx'
import { Badge } from '../../../design/Badge.tsx'
import { IconButton } from '../../../design/Button.tsx'
import { Copied } from '../../../design/Code.tsx'
import { Icon } from '../../../design/Icon.tsx'
import { Row, Stack } from '../../../design/Layout.tsx'
import { Loaded } from '../../../design/Lists.tsx'
import { Menu, type MenuItem } from '../../../design/Menu.tsx'
import { DescriptionList } from '../../../design/Page.tsx'
import { Tooltip } from '../../../design/Tooltip.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { nameOfEndUser, useEndUserQuery } from '../../model/people.ts'
import { CustomFields } from '../fields/CustomFields.tsx'
import { texts as sideTexts } from '../texts.ts'
import { Block } from './Block.tsx'
import { Companies } from './Companies.tsx'
import { LanguageName, LocalTime } from './Locale.tsx'
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
      <DescriptionList items={useFacts(person, companyId)} />
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
  const name = nameOfEndUser(person)
  const { status } = person
  const canBlock = can('end_users:write') && status === 'active'
  const privacy = usePrivacy(person)
  const personal = useTexts(privacyTexts)
  const isHeld = Boolean(person.legal_hold)
  const block: MenuItem = { label: text.block, icon: 'shield', isDangerous: true, onSelect: onBlock }
  const groups = [canBlock ? [block] : [], privacy.items].filter((items) => items.length > 0)
  useCommands(canBlock ? [{ label: text.block, group: text.endUser, icon: 'shield', run: onBlock }] : [])
  return (
    <Row gap={3}>
      <Avatar name={name ?? '?'} size={36} />
      <Stack gap={0} className={styles.names}>
        <strong className={styles.name}>{name ?? shared.noName}</strong>
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

/** A green check mark. Its meaning stands beside it, or is told by its tooltip and to screen readers. */
function Verified({ label, isWritten = false }: { label: string; isWritten?: boolean }) {
  if (isWritten)
    return (
      <span className={styles.verified}>
        <Icon name="check" size={13} /> {label}
      </span>
    )
  return (
    <Tooltip text={label}>
      <span className={styles.verified} role="img" aria-label={label}>
        <Icon name="check" size={13} />
      </span>
    </Tooltip>
  )
}

function useFacts(person: EndUser, companyId: string | null): [string, ReactNode][] {
  const text = useTexts(texts)
  const nowMs = useNow()
  const { can } = useEnvironment()
  const { relative } = useFormats()
  const { emails, phones, language, timezone, external_id, company_ids, last_seen_at } = person
  const facts: [string, ReactNode][] = []
  if (emails.length > 0)
    facts.push([
      text.email,
      emails.map(({ address, verified }) => (
        <Row key={address} gap={1}>
          <Copied value={address} what={text.email} isText />
          {verified && <Verified label={text.verified} />}
        </Row>
      )),
    ])
  if (phones.length > 0)
    facts.push([
      text.phone,
      phones.map((phone) => <Copied key={phone} value={phone} what={text.phone} isText />),
    ])
  if (company_ids.length > 0 && can('companies:read'))
    facts.push([
      company_ids.length > 1 ? text.companies : text.company,
      <Companies key="companies" ids={company_ids} companyId={companyId} />,
    ])
  if (timezone) facts.push([text.localTime, <LocalTime key="time" timeZone={timezone} />])
  if (language) facts.push([text.language, <LanguageName key="language" tag={language} />])
  if (external_id)
    facts.push([text.externalId, <Copied key="id" value={external_id} what={text.externalId} />])
  if (last_seen_at) facts.push([text.lastSeen, relative(last_seen_at, nowMs)])
  return facts
}
