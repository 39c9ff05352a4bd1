import type { EndUser } from '@backline/sdk'
import type { ReactNode } from 'react'
import { When } from '../../../app/Times.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { Copied } from '../../../design/Code.tsx'
import { Icon } from '../../../design/Icon.tsx'
import { Row } from '../../../design/Layout.tsx'
import { tooltip } from '../../../design/Tooltip.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { Companies } from './Companies.tsx'
import { LanguageName, LocalTime } from './Locale.tsx'
import styles from './Person.module.css'
import { texts } from './texts.ts'

/** A green check mark. Its meaning stands beside it, or is told by its tooltip and to screen readers. */
export function Verified({ label, isWritten = false }: { label: string; isWritten?: boolean }) {
  if (isWritten)
    return (
      <span className={styles.verified}>
        <Icon name="check" size={13} /> {label}
      </span>
    )
  return (
    <span className={styles.verified} role="img" aria-label={label} {...tooltip(label)}>
      <Icon name="check" size={13} />
    </span>
  )
}

/** The addresses, ids and companies of a person, with their language and their time. */
export function usePersonFacts(person: EndUser, companyId: string | null): [string, ReactNode][] {
  const text = useTexts(texts)
  const { can } = useEnvironment()
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
  if (last_seen_at) facts.push([text.lastSeen, <When key="seen" at={last_seen_at} />])
  return facts
}
